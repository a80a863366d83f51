"""The repository's own integrator and data, in plain NumPy, to set against `cg4` of this library.

    T_i = T_0 exp(h a_i1 [V_1]) ... exp(h a_i,i-1 [V_i-1])                                     (1)
    V_i = V_0 + h sum_j a_ij K_j,     K = G^-1 (ad_V^T G V + F)                                 (2)
    T_1 = T_0 exp(h b_1 [V_1]) ... exp(h b_5 [V_5]),   V_1 = V_0 + h sum_i b_i K_i              (3)

T is a 4x4 pose, V = (w, v) the twist of the body, both in the body frame; K of a body with the frame
in its centre of mass is (I^-1 (I w x w), v x w + R^T g).  The text gives neither coefficients nor
data: both are facts of its public source (dlynch7/geometric_rigid_body_dynamics, src/MATLAB, cg4.m
and main.m), which takes the coefficients from Park et al. (IROS 2004).
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.core.methods.body import cg4
from poinsot.model.mechanism import Mechanism
from poinsot.model.body import Body
from poinsot.model.joint import Free
from poinsot.model.shapes import Box
from poinsot.model.state import State
from poinsot.run import Run
from poinsot.simulate import simulate

Array = NDArray[np.float64]
