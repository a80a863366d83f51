"""Special polar decomposition M = R Wed(K) of 2000 matrices: singular, reflecting, of all sizes."""

import numpy as np

from poinsot.analytical import special_polar
from poinsot.analytical.operators import Wed
from poinsot_papers.claims import Array, Claim, Figure, Measured, Verdict
from poinsot_papers.figures import COLORS, style_axes
from poinsot_papers.konz2024._numbers import largest, rotation

CLAIM = Claim(
    paper="konz2024energy",
    where="section 2.4, last paragraph",
    title="Special polar decomposition of 2000 matrices",
    words="every real 3x3 matrix is R Wed(K) with a rotation R and a unique K >= 0; R is unique if and only "
    "if K > 0",
)
COUNT, BOUND = 2000, 1e-12


def matrix(i: int, rng: np.random.Generator) -> Array:
    """Return the i-th matrix; every fourth has rank 0, 1, 2 or equal singular values; 16 decades of sizes."""
    U, s, V = np.linalg.svd(rng.normal(size=(3, 3)) * 10.0 ** rng.integers(-8, 9))
    special = ([0, 0, 0], [s[0], 0, 0], [s[0], s[1], 0], [s[0]] * 3, [s[0], s[1], s[1]], [s[0], s[0], s[2]])
    return np.asarray(U @ np.diag(special[(i // 4) % 6] if i % 4 == 0 else s) @ V)


def run() -> Measured:
    rng = np.random.default_rng(5)
    misses, orthogonal, least, best, kinds = [], [], [], [], {"singular": 0, "negative determinant": 0}
    for i in range(COUNT):
        M = matrix(i, rng)
        size = float(np.abs(M).max()) or 1.0
        R, K = special_polar(M)
        misses.append(np.abs(R @ Wed(K) - M).max() / size)
        orthogonal.append(max(np.abs(R.T @ R - np.eye(3)).max(), abs(np.linalg.det(R) - 1)))
        least.append(np.linalg.eigvalsh((K + K.T) / 2)[0] / size)
        others = [np.trace(M.T @ rotation(rng)) for _ in range(5)]
        best.append((np.trace(M.T @ R) - max(others)) / size)
        kinds["singular"] += int(np.linalg.svd(M)[1][2] <= 1e-12 * size)
        kinds["negative determinant"] += int(np.linalg.det(M / size) < -1e-9)
    edges = np.arange(-18.0, -11.5, 0.5)
    counts = np.histogram(np.log10(np.maximum(misses, 1e-18)), edges)[0]
    return {
        "count": COUNT,
        **kinds,
        "reconstruction": largest(misses),
        "rotation": largest(orthogonal),
        "least eigenvalue": float(f"{min(least):.1e}"),
        "beaten by random rotations": int((np.array(best) < 0).sum()),
        "edges": edges.tolist(),
        "counts": counts.tolist(),
    }


def verdict(result: Measured) -> Verdict:
    good = max(result["reconstruction"], result["rotation"], -result["least eigenvalue"]) <= BOUND
    because = (
        f"{result['count']} matrices, {result['singular']} of them singular and "
        f"{result['negative determinant']} with negative determinant, are reconstructed to "
        f"{result['reconstruction']:.1e} of their size; K has no eigenvalue below "
        f"{result['least eigenvalue']:.0e}, and no random rotation has a larger tr(M^T R)"
    )
    word = "reproduced" if good and not result["beaten by random rotations"] else "differs"
    return Verdict(word, because)  # type: ignore[arg-type]


def plot(result: Measured, figure: Figure) -> None:
    axes = figure.subplots()
    edges = np.array(result["edges"])
    axes.bar(edges[:-1], result["counts"], width=0.46, align="edge", color=COLORS[1])
    axes.set_xlabel("log10 of the reconstruction error, relative to the matrix")
    axes.set_ylabel("matrices")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    style_axes(axes)
