"""Joints; every class in this folder is one that files and messages know.

| joint       | q                                               | v                                        |
|-------------|-------------------------------------------------|------------------------------------------|
| Revolute    | angle about the axis                            | rate                                     |
| Prismatic   | displacement along the axis                     | speed                                    |
| Helical     | angle about the axis                            | rate                                     |
| Cylindrical | angle, displacement                             | rate, speed                              |
| Universal   | two angles: about axis1, then the carried axis2 | two rates                                |
| Planar      | displacement (2) in the plane, angle            | speed (2), rate                          |
| Spherical   | quaternion, child to joint frame                | angular velocity, child frame            |
| Free        | position of the body frame's origin, quaternion | (w, velocity of that origin), body frame |
| Fixed       |                                                 |                                          |

Axes are given in the joint frame.
"""

from poinsot.model.joints.axial import Cylindrical as Cylindrical
from poinsot.model.joints.axial import Helical as Helical
from poinsot.model.joints.axial import Prismatic as Prismatic
from poinsot.model.joints.axial import Revolute as Revolute
from poinsot.model.joints.free import Fixed as Fixed
from poinsot.model.joints.free import Free as Free
from poinsot.model.joints.joint import Joint as Joint
from poinsot.model.joints.planar import Planar as Planar
from poinsot.model.joints.spherical import Spherical as Spherical
from poinsot.model.joints.universal import Universal as Universal
