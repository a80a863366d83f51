"""Slips in the copy at hand that can be seen but not measured: where they are, and what is right."""

INSPECTION = (
    "below (2.9): Y Phi^T = 0, not Y^T Phi = 0 (the sizes of the printed factors do not match)",
    "(2.16) text: a geodesic has d(xi)/dt = -Gamma xi xi, not xi = -Gamma xi xi",
    "(2.18): the projector is A_k^s Y_a^k",
    "(2.21): the first derivative is of Y_a by x_b",
    "(2.30): the limits of the integral are t1 and t2",
    "(2.44b): the equation lacks = 0",
    "(2.46d): the vectors of length one in R^n form S^(n-1)",
    "(3.6): the mass must be the desired mass",
    "(3.12): the sum is delta T + delta' W",
    "(3.20), (3.29): f^M is defined with a minus, but used with a plus in (3.27), (3.31), (3.32), (3.41), "
    "(3.55), (3.95a)",
    "below (3.39) and in (3.40): f^K and f^D have a minus, from (3.74), (3.77) on a plus; (3.42)-(3.47) use "
    "plus",
    "below (3.40): R >= 0, not V^K >= 0",
    "(3.56): the brace is tr(Theta)/2 1 - Theta; (3.58): the brace is over the velocity of the particle",
    "(3.111): the norm is of xi, not of its rate",
    "(3.94): the blocks are (h h^T, h; h^T, 1); below: damping D', stiffness K'",
    "(3.100a): rows and columns of R are exchanged compared with (1.8a)",
    "(3.109a): the parent's rates are those of body 1; (3.109b): the upper index is 1",
    "(3.112): the bracket closes before J_j^q J_k^r, which belongs to its second term only",
    "below (3.115): M' = Wed(M)",
)
