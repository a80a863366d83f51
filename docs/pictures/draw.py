"""The pictures of README.md and docs/explanation, drawn from runs of Poinsot: `python docs/pictures/draw.py`.

They are plain SVG with coordinates rounded to a tenth of a pixel; tests/test_drawings.py draws them again.
"""

import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np

import poinsot as ps

HERE = Path(__file__).parent
RED, BLUE, GREEN, GRAY, INK = "#c0392b", "#2471a3", "#1e8449", "#aeb6bf", "#283747"
VIEW = ps.so3.exp((-1.2, 0, 0)) @ ps.so3.exp((0, 0, 0.6))  # space to picture: x right, y up, z to the eye


def path(points, color=INK, width=1.4, **more):
    """Return a line through points (n, 2) in pixels."""
    style = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in np.asarray(points) + 0.0)
    return f'<polyline points="{text}" fill="none" stroke="{color}" stroke-width="{width}"{style}/>'


def words(x, y, text, color=INK, size=13, anchor="start"):
    """Return a line of text."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="{color}" font-size="{size}">{text}</text>'


def arrow(start, end, color=INK, width=1.6):
    """Return a line with a head."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]])
    head = [end - 8 * along + 3.5 * across, end, end - 8 * along - 3.5 * across]
    return path([start, end], color, width) + path(head, color, width)


def dot(at, color=INK, radius=3.0):
    """Return a point."""
    return f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius}" fill="{color}"/>'


def picture(name, width, height, title, *parts):
    """Return the name and the text of a picture."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img"'
    )
    head += f' font-family="Helvetica, Arial, sans-serif"><title>{title}</title>'
    return name, "\n".join(
        [head, f'<rect width="{width}" height="{height}" fill="#ffffff"/>', *parts, "</svg>", ""]
    )


# --- the nut


def prism(corners, low, high):
    """Return the faces (k, n, 3) of a prism over a convex polygon of corners (n, 2) in x and y, along z."""
    ring = [np.column_stack([corners, np.full(len(corners), z)]) for z in (low, high)]
    sides = [np.array([ring[0][i - 1], ring[0][i], ring[1][i], ring[1][i - 1]]) for i in range(len(corners))]
    return [ring[0][::-1], ring[1], *sides]


def nut_faces():
    """Return the faces of the nut of the gallery in body axes: an end of its hub, which is along x, first."""
    turn = np.linspace(0, 2 * np.pi, 18, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    hub = [face[:, [2, 0, 1]] for face in prism(0.1 * circle, -0.08, 0.08)]
    wings = [
        face[:, [1, 2, 0]] + (0.03, 0, side)
        for side in (0.28, -0.28)
        for face in prism((0.24, 0.09) * circle, -0.022, 0.022)
    ]
    return [hub[1], hub[0], *hub[2:], *wings]


def nut(R, center, scale):
    """Return the nut with attitude R, its faces from the farthest to the nearest."""
    light = np.array([0.3, 0.5, 0.81])
    seen = []
    for i, face in enumerate(nut_faces()):
        there = face @ (VIEW @ R).T
        normal = np.cross(there[1] - there[0], there[2] - there[1])
        normal /= np.linalg.norm(normal)
        if normal[2] > 0:
            tint = (0.85, 0.25, 0.2) if i == 0 else (0.86, 0.80, 0.62)  # one end is red
            seen.append((there[:, 2].mean(), there, (0.5 + 0.5 * max(0.0, normal @ light)) * np.array(tint)))
    parts = []
    for _, there, tint in sorted(seen, key=lambda one: one[0]):
        points = " ".join(f"{center[0] + scale * x:.1f},{center[1] - scale * y:.1f}" for x, y, _ in there)
        color = "#" + "".join(f"{int(255 * min(1.0, part)):02x}" for part in tint)
        parts.append(f'<polygon points="{points}" fill="{color}" stroke="#7d6608" stroke-width="0.4"/>')
    return "".join(parts)


def hero():
    """A nut turns over; below, the energy that three methods keep or lose in 1000 seconds."""
    s = ps.scenario("dzhanibekov")
    fine = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, until=4.0)
    times = 0.72 + 0.262 * np.arange(8)  # a quarter of a turn of the spin apart
    parts = []
    for i, t in enumerate(times):
        x = 62 + 92 * i
        parts += [
            nut(fine.at(t)["nut"].rotation, (x, 62), 128),
            words(x, 137, f"{t:.2f} s", "#566573", 11, "middle"),
        ]
    left, right, top, bottom = 66, 700, 165, 300
    for power in (0, -4, -8, -12, -16):
        y = top + (bottom - top) * -power / 16
        parts.append(path([(left, y), (right, y)], "#e5e7e9", 0.8))
        parts.append(words(left - 8, y + 4, f"1e{power}" if power else "1", "#566573", 11, "end"))
    for method, color, label in (
        ("rk4", RED, "rk4: lost 4.8 %"),
        ("nmb", BLUE, "nmb: within 3 %"),
        ("srkn4", GREEN, "srkn4, the default: kept to the last digits"),
    ):
        run = ps.simulate(s.mechanism, s.start, method, step=0.08, until=1000.0)
        error = np.abs(run.energy / run.energy[0] - 1)[1:12501].reshape(100, 125).max(axis=1)
        y = top + (bottom - top) * -np.log10(np.maximum(error, 1e-16)) / 16
        parts.append(path(np.column_stack([np.linspace(left, right, 100), y]), color, 1.8))
        parts.append(
            words(
                {"rk4": 560, "nmb": 90, "srkn4": 90}[method],
                {"rk4": y[-1] - 8, "nmb": y[0] + 20}.get(method, y[0] - 10),
                label,
                color,
            )
        )
    parts.append(words(left, bottom + 22, "0", "#566573", 11, "middle"))
    parts.append(words(right, bottom + 22, "1000 s", "#566573", 11, "end"))
    parts.append(
        words(
            (left + right) / 2,
            bottom + 22,
            "relative error of the energy, steps of 0.08 s",
            "#566573",
            12,
            "middle",
        )
    )
    return picture("nut.svg", 760, 335, "A wing nut turns over, and the energy of 1000 seconds", *parts)


# --- geometry


def rotations():
    """Steps of half a radian on the circle of rotations about one axis: added, and along the circle."""
    parts, rate, steps = [], 0.5, 6
    turn = np.linspace(0, 2 * np.pi, 73)
    for middle, color, title in (
        (190, RED, "added: it leaves the circle"),
        (570, GREEN, "along the circle: it cannot"),
    ):
        z = (1 + 1j * rate if color == RED else np.exp(1j * rate)) ** np.arange(steps + 1)
        ring, at = (
            np.column_stack([middle + 68 * x.real, 150 - 68 * x.imag]) for x in (np.exp(1j * turn), z)
        )
        parts += [path(ring, GRAY, 3), words(middle, 285, title, INK, 14, "middle")]
        if color == RED:
            parts += [arrow(a, b, RED) for a, b in pairwise(at)]
        else:
            along = np.exp(1j * np.linspace(0, steps * rate, 40))
            parts.append(path(np.column_stack([middle + 68 * along.real, 150 - 68 * along.imag]), GREEN, 2.4))
        parts += [dot(one, color) for one in at]
    return picture("rotations.svg", 760, 300, "Steps that are added leave the rotations", *parts)


def polhodes():
    """Curves of equal energy on the sphere of the angular momentum, in body axes; one of them from a run."""
    moments = np.array([1.0, 2.0, 3.0])
    look = ps.so3.exp((-1.15, 0, 0)) @ ps.so3.exp((0, 0, -0.55))
    place = lambda L: np.array([260, 190]) + 160 * (L @ look.T)[:, :2] * (1, -1)  # noqa: E731
    turn = np.linspace(0, 2 * np.pi, 73)
    parts = [path(np.array([260, 190]) + 160 * np.column_stack([np.cos(turn), np.sin(turn)]), GRAY, 1)]

    def curve(start, color, width, until=None):
        m = ps.Mechanism(gravity=(0, 0, 0)).add("body", ps.Body(1.0, moments), ps.Spherical())
        L = np.asarray(start) / np.linalg.norm(start)
        run = ps.simulate(
            m, m.state({"body": dict(angular_velocity=L / moments)}), "exact", step=0.2, until=until or 40.0
        )
        L = run.angular_velocity("body") * moments
        front = (L @ look.T)[:, 2] > 0
        where = place(L)
        cuts = np.flatnonzero(np.diff(front)) + 1
        for piece in np.split(np.arange(len(L)), cuts):
            if len(piece) > 1 and front[piece[0]]:
                parts.append(path(where[piece], color, width))

    for tilt in (0.25, 0.5, 0.72):
        for side in (1, -1):
            curve((side * np.cos(tilt), np.sin(tilt), 0), BLUE, 1.2, 22.0)
            curve((0, np.sin(tilt), side * np.cos(tilt)), GREEN, 1.2, 42.0)
    for away in ((0.005, -1, 0), (-0.005, -1, 0)):
        curve(away, RED, 2.2, 100.0)
    for axis, (name, color) in enumerate((("smallest", BLUE), ("intermediate", RED), ("largest", GREEN))):
        for sign in (1, -1):
            there = sign * np.eye(3)[axis]
            if (look @ there)[2] > 0:
                at = place(there[None])[0]
                parts += [dot(at, color, 4)]
                x, y = {0: (470, 215), 1: (470, 330), 2: (470, 50)}[axis]
                parts += [
                    path([at, (x - 6, y - 4)], color, 0.8, stroke_dasharray="3 3"),
                    words(x, y, f"axis of the {name} moment", color),
                ]
    return picture(
        "polhodes.svg", 760, 380, "Polhodes: where a free body's momentum can go, in its own axes", *parts
    )


def frames():
    """Where joints and bodies are: at, rotation, body_at."""
    parts = []

    def bar(x, y, angle, text):
        c, s = np.cos(angle), np.sin(angle)
        corners = np.array([[-95, -16], [95, -16], [95, 16], [-95, 16]]) @ np.array([[c, s], [-s, c]]) + (
            x,
            y,
        )
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
        parts.append(f'<polygon points="{points}" fill="#f2f3f4" stroke="{GRAY}"/>')
        parts.extend(axes(x, y, angle, INK))
        parts.append(words(x - 30, y - 50, text, INK, 13, "middle"))

    def axes(x, y, angle, color):
        ahead, up = np.array([np.cos(angle), np.sin(angle)]), np.array([np.sin(angle), -np.cos(angle)])
        at = np.array([x, y])
        return [arrow(at, at + 34 * ahead, color), arrow(at, at + 34 * up, color), dot(at, color)]

    bar(150, 210, 0.0, "body frame of the parent")
    joint = np.array([245.0, 210.0])
    along = np.array([np.cos(-0.6), np.sin(-0.6)])
    child = joint + 130 * along
    bar(*child, -0.6, "")
    parts.append(words(child[0] + 30, child[1] + 52, "body frame of the child", INK))
    parts += axes(*joint, 0.0, BLUE) + axes(*joint, -0.6, RED)
    parts.append(words(joint[0] - 8, joint[1] + 70, "joint frame, fixed in the parent", BLUE))
    parts.append(words(30, 60, "child frame: the joint frame moved by the joint", RED))
    parts.append(path([(190, 66), joint - (0, 6)], RED, 0.8, stroke_dasharray="3 3"))
    parts += [arrow((150, 250), (joint[0] - 2, 250), BLUE), words(190, 244, "at", BLUE, 14)]
    off = 34 * np.array([-along[1], along[0]])
    parts += [
        arrow(joint + off, child + off, RED),
        words(*(joint + 0.5 * (child - joint) + off + (8, 16)), "body_at", RED, 14),
    ]
    return picture("frames.svg", 560, 300, "at, rotation and body_at", *parts)


def area():
    """A ring of pendulums in the plane of angle and rate: a symplectic method keeps its area."""
    m = ps.Mechanism().add("arm", ps.Body(1.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -9.81))
    turn = np.linspace(0, 2 * np.pi, 121)
    ring = np.column_stack([1.0 + 0.25 * np.cos(turn), 0.25 * np.sin(turn)])
    parts, step = [], 1.2
    for middle, method, color in ((195, "rk4", RED), (565, "variational", GREEN)):
        parts.append(path([(middle - 160, 150), (middle + 160, 150)], "#e5e7e9"))
        parts.append(path([(middle, 20), (middle, 275)], "#e5e7e9"))
        for row, steps in enumerate((0, 10, 20)):
            e = (
                ps.ensemble(
                    m, starts=(ring[:, :1], ring[:, 1:]), method=method, step=step, until=steps * step
                )
                if steps
                else None
            )
            x, y = ring.T if e is None else (e.final_q[:, 0], e.final_v[:, 0])
            size = abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2 / (np.pi * 0.25**2)
            parts.append(path(np.column_stack([middle + 105 * x, 150 - 105 * y]), color, 1.6))
            parts.append(
                words(
                    middle - 160, 30 + 17 * row, f"{steps * step:2.0f} s: area {100 * size:.0f} %", color, 12
                )
            )
        parts.append(words(middle, 295, f"{method}, steps of {step:g} s", INK, 13, "middle"))
    return picture("area.svg", 760, 305, "What a method does to an area of starts", *parts)


PICTURES = (hero, rotations, polhodes, frames, area)


def draw():
    """Return all pictures: their texts by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.StepWarning)  # the steps are too long, on purpose
        return dict(one() for one in PICTURES)


if __name__ == "__main__":
    for name, text in draw().items():
        (HERE / name).write_text(text, encoding="utf-8")
        print(HERE / name, f"{len(text) / 1000:.0f} kB")
