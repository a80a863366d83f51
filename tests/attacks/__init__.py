"""Attacks: hostile input, kills, full disks and threads.  `make attack` runs all of them for some minutes.

Each file has one attack: `attempts(rng, folder)` yields what was tried and whether it held, without end.  The
same attacks run for a few attempts in `tests/test_attacks.py`.
"""
