"""Rotation matrices of quaternions and back."""

from poinsot.core.lie import quaternion as core_quaternion
from poinsot.lie.batch import MATRIX, QUATERNION, batched

matrix_of_quaternion = batched("quaternion.matrix", core_quaternion.matrix, [QUATERNION], MATRIX)
quaternion_of_matrix = batched("quaternion.from_matrix", core_quaternion.from_matrix, [MATRIX], QUATERNION)
