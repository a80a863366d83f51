"""Poinsot: method "auto", with the step that is MuJoCo's default, or with a step chosen for an accuracy."""

from typing import ClassVar

from adapter import Adapter, State, contacts

import poinsot as ps

JOINTS = {"free": ps.Free, "revolute": ps.Revolute}
SHAPES = {
    "sphere": lambda s: ps.Sphere(s["radius"]),
    "ellipsoid": lambda s: ps.Ellipsoid(s["semi_axes"]),
    "wheel": lambda s: ps.Wheel(s["radius"], s["tube"]),
}


def turning(rate):
    """A drive with a constant rate."""
    return lambda t: rate * t


class Poinsot(Adapter):
    """Poinsot, with events for bounces and rolling as a constraint."""

    engine = "Poinsot"
    settings: ClassVar[dict] = {"auto, 2 ms": {"step": 2e-3}, "accuracy 1e-10": {"accuracy": 1e-10}}
    accuracy = None
    method = "auto"

    @staticmethod
    def version():
        """Of the package."""
        return ps.__version__

    def build(self, case):
        """A mechanism, its state, its events."""
        self.mechanism, self.events = self.model(case), []
        for one in contacts(case):
            if one["kind"] == "bounce":
                up = {"body.velocity[2]": f"-{one['restitution']} * body.velocity[2]"}
                self.events.append(ps.Event(f"body.position[2] - {one['radius']}", direction=-1, reset=up))
        start = {}
        for body in case["bodies"]:
            row = case["start"][body["name"]]
            keys = ("angle", "rate") if "angle" in row else ("position", "velocity", "angular_velocity")
            start[body["name"]] = {key: row[key] for key in keys}
            if "angle" not in row:
                start[body["name"]]["rotation"] = row["quaternion"]
        self.now = self.mechanism.state(start)
        self.run = ps.simulate(self.mechanism, self.now, self.method, step=1e-9, steps=1, every=1)
        self.row = 0
        if self.accuracy is not None:
            self.advise(case["times"][-1])

    def advise(self, until):
        """The method and the step for the accuracy."""
        advice = ps.advise(self.mechanism, self.now, until=until, accuracy=self.accuracy)
        self.method, self.step = advice.method, advice.step

    @staticmethod
    def model(case):
        """The mechanism of a case."""
        m = ps.Mechanism(gravity=case["gravity"])
        for body in case["bodies"]:
            kind, axis = body["joint"]["kind"], [body["joint"]["axis"]] if "axis" in body["joint"] else []
            place = {} if kind == "free" else {"at": body["at"], "body_at": body["center"]}
            one = ps.Body(body["mass"], body["inertia"])
            m.add(body["name"], one, JOINTS[kind](*axis), parent=body["parent"], **place)
        for name, rate in case.get("drive", {}).items():
            m.apply(ps.Drive(name, turning(rate)))
        for one in contacts(case):
            options = {key: one[key] for key in ("at", "axis", "normal", "on") if key in one}
            if one["kind"] == "skate":
                m.close(ps.Skate(one["body"], one["at"], one["direction"]))
            elif one["kind"] == "rolling":
                surface = ps.Bowl(one["bowl"]) if "bowl" in one else None
                m.close(
                    ps.Rolling(
                        one["body"], SHAPES[one["shape"]["kind"]](one["shape"]), surface=surface, **options
                    )
                )
        return m

    def advance(self, seconds):
        """One run."""
        count, step = self.steps(seconds)
        self.run = ps.simulate(
            self.mechanism,
            self.now,
            self.method,
            step=step,
            steps=count,
            every=count,
            events=self.events or None,
            progress=False,
        )
        self.now, self.row, self.note = self.run.final, -1, self.run.method.name

    def state(self):
        """Of the last sample."""
        run, row = self.run, self.row
        return {
            name: State(
                run.position(name)[row],
                run.quaternion(name)[row],
                run.velocity(name)[row],
                run.angular_velocity(name)[row],
            )
            for name in self.mechanism.names
        }

    def eigenvalues(self, case):
        """Of the upright bicycle, by `linearize`."""
        m, found = self.model(case), []
        radii = {one["body"]: one["shape"]["radius"] for one in contacts(case)}
        for row in case["eigenvalues"]:
            rates = {name: {"rate": -row["speed"] / r} for name, r in radii.items()}
            frame = {"position": case["start"]["frame"]["position"], "velocity": (row["speed"], 0, 0)}
            found.append(ps.dynamics.linearize(m, m.state({"frame": frame, **rates})).poles)
        return found
