"""Random rotations: equally likely, by the distribution of their angle and by invariance."""

import numpy as np
import pytest
from scipy.stats import kstest

import poinsot as ps


def test_all_rotations_are_equally_likely():
    R = ps.so3.random(np.random.default_rng(7), 4000)
    assert np.abs(R @ R.transpose(0, 2, 1) - np.eye(3)).max() < 1e-14
    assert np.abs(np.linalg.det(R) - 1).max() < 1e-14
    fixed = ps.so3.exp([0.3, -1.1, 2.0])
    for turned in (R, fixed @ R, R @ fixed):
        angle = np.arccos(np.clip((np.trace(turned, axis1=1, axis2=2) - 1) / 2, -1, 1))
        assert kstest(angle, lambda x: (x - np.sin(x)) / np.pi).pvalue > 0.01  # Haar's measure
        assert np.abs(turned.mean(axis=0)).max() < 0.04


def test_one_rotation_follows_from_the_seed():
    one, same = (ps.so3.random(np.random.default_rng(3)) for _ in range(2))
    assert one.shape == (3, 3)
    assert np.array_equal(one, same)
    with pytest.raises(ps.ModelError, match="rng must be a NumPy Generator"):
        ps.so3.random(3)
    with pytest.raises(ps.ModelError, match="count must be a number of matrices"):
        ps.so3.random(np.random.default_rng(3), -1)
