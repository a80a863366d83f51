"""The file that `poinsot new` writes: a scenario with comments that runs as it is."""

TEMPLATE = """# A scenario for Poinsot.  Check it with `poinsot check FILE`, run it with `poinsot run FILE`.
# Numbers are in SI units; a text may have another unit: "30 deg", "2 ft", "0.0019 slug ft^2", "60 rpm".

title = "Double pendulum with a driven joint"
notes = "Two rods; a motor swings the first one for two seconds."
method = "auto"                  # or one of `poinsot methods`
step = "5 ms"
until = 10.0                     # s
every = 2                        # steps between two samples
gravity = [0.0, 0.0, -9.81]

[parameters]                     # numbers that expressions may use
amplitude = 0.3
frequency = 4.0

# Bodies: each is carried by a joint, on the world or on a body above it.
# joint = "free", "spherical" or "fixed", or a table: { kind = "revolute", axis = [0, 1, 0] };
# also prismatic, cylindrical, helical, universal, planar.
[[bodies]]
name = "upper"
mass = "500 g"
shape = { kind = "capsule", radius = "2 cm", length = 0.4 }
joint = { kind = "revolute", axis = [0, 1, 0] }
body_at = [0, 0, -0.2]           # the body frame, seen from the joint

[[bodies]]
name = "lower"
parent = "upper"
mass = 0.3
inertia = [1e-3, 1e-3, 2e-5]     # about the centre of mass; or leave it to a shape
joint = { kind = "revolute", axis = [0, 1, 0] }
at = [0, 0, -0.2]                # the joint, in the body frame of the parent
body_at = [0, 0, -0.15]

# Forces: Spring, Damper, Stiffness, Damping, Drag, JointSpring, JointDamper, Impulse are numbers;
# Torque, Wrench and JointTorque are expressions of t, and of R, w, p, v of a body, or of q, v of a joint;
# Drive moves a joint as expressions of t: joint = "upper", value = ["0.2 * sin(3 * t)"].
[[forces]]
kind = "JointDamper"
joint = "lower"
damping = "0.002 N m s/rad"

[[forces]]
kind = "JointTorque"
joint = "upper"
torque = ["push * sin(frequency * t) if t < 2 else 0"]
where = { push = "amplitude * (1 - q[0] ** 2 / 10)" }
switches = [2.0]                 # times at which it jumps

# Loops close the tree: [[loops]] with a = "lower", b = "world", joint = { kind = "distance", length = 1.0 }.

[start.upper]
angle = "30 deg"

[start.lower]
rate = "20 deg/s"
"""
