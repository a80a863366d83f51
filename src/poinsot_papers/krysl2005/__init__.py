"""Krysl and Endres (2005): explicit Newmark/Verlet algorithm for the rotational dynamics of rigid bodies."""
