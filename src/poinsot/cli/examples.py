"""Examples of each command, shown below its `--help`; a test parses them all."""

EXAMPLES = {
    "demo": ["poinsot demo --out wingnut"],
    "run": [
        "poinsot run double-pendulum",
        "poinsot run fast-top --method nmb --set start.top.angular_velocity=0,0,40 --out fast.poinsot",
        "poinsot run my.toml --accuracy 1e-9",
        "poinsot run robot.urdf --until 2 --json",
    ],
    "new": ["poinsot new my.toml", "poinsot new arm.toml --from robot.urdf"],
    "check": ["poinsot check my.toml", "poinsot check robot.urdf --base free --fix mended.urdf"],
    "schema": ["poinsot schema > poinsot.schema.json"],
    "sweep": [
        "poinsot sweep double-pendulum --vary 'start.upper.angle=linspace(-3,3,50)' --reduce flip",
        "poinsot sweep fast-top --vary 'bodies.top.mass=uniform(0.9,1.1)' --samples 1000",
        "poinsot sweep my.toml --dask tcp://HOST:8786",
    ],
    "resume": ["poinsot resume fast.poinsot", "poinsot resume fast.poinsot --until 20"],
    "replay": ["poinsot replay fast.poinsot"],
    "compare": ["poinsot compare slow-top --methods nmb,srkn4,cf4 --figure slow-top.svg"],
    "reproduce": [
        "poinsot reproduce krysl2005 --list",
        "poinsot reproduce krysl2005 --figures figures",
    ],
    "view": ["poinsot view fast.poinsot", "poinsot view robot.urdf --out robot.html"],
    "live": ["poinsot live double-pendulum", "poinsot live my.toml --no-browser --port 8000"],
    "export": ["poinsot export fast.poinsot --mp4 fast.mp4", "poinsot export fast.poinsot --csv fast.csv"],
    "derive": ["poinsot derive double-pendulum", "poinsot derive double-pendulum --c --keep all"],
    "methods": ["poinsot methods", "poinsot methods --json"],
    "gallery": ["poinsot gallery", "poinsot gallery pitch-cone --out cone.html"],
    "cite": ["poinsot cite srkn4"],
    "warm": ["poinsot warm", "poinsot warm gauss3 variational", "poinsot warm --all"],
    "doctor": ["poinsot doctor", "poinsot doctor --json"],
    "completion": ["poinsot completion bash >> ~/.bashrc", "poinsot completion fish | source"],
}


def epilog(name: str) -> str:
    """Return the examples of a command as the last paragraph of its help."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in EXAMPLES[name])])
