"""Connection coefficients: all entries of (3.61), the identities (3.33), and the tree formula (3.112)."""

import numpy as np

from poinsot.analytical import prime, spaces, vee_prime
from poinsot_papers.claims import Array, Claim, Measured, Verdict
from poinsot_papers.figures import Bars, residuals
from poinsot_papers.konz2024._numbers import largest, place, worst
from poinsot_papers.konz2024._tricopter import STATE, X, tricopter

CLAIM = Claim(
    paper="konz2024energy",
    where="(3.33), (3.35), (3.61), (3.112)",
    title="Connection coefficients of a rigid body and of a tree",
    words="Gamma of a rigid body has the entries (3.61); that of a tree follows from the Jacobians by "
    "(3.112)",
)
BOUND = 1e-14


def table_3_61(M: Array) -> tuple[Array, int]:
    """Return the printed table in our order of twists, and the number of its entries."""
    total, s, half = (
        M[3, 3],
        np.array([M[2, 4], M[0, 5], M[1, 3]]),
        np.trace(M[:3, :3]) / 2 * np.eye(3) - M[:3, :3],
    )
    listed = [
        (total, "324 135 216"),
        (s[0], "254 364 515 616"),
        (s[1], "424 145 365 626"),
        (s[2], "434 535 146 256"),
        (half[0, 0], "654"),
        (half[1, 1], "465"),
        (half[2, 2], "546"),
        (half[0, 1], "464 655"),
        (half[0, 2], "544 656"),
        (half[1, 2], "545 466"),
    ]
    printed = np.zeros((6, 6, 6))
    for value, places in listed:
        for one in places.split():
            i, j, k = (int(digit) - 1 for digit in one)
            printed[i, j, k], printed[j, i, k] = value, -value
    order = [3, 4, 5, 0, 1, 2]
    return printed[np.ix_(order, order, order)], sum(len(places.split()) for _, places in listed)


def body_trial(rng: np.random.Generator) -> dict[str, float]:
    """Return the residual of (3.61) for a random body."""
    P = prime(rng.uniform(0.2, 0.5, 5), rng.uniform(-1, 1, (5, 3)))
    M, G, body = vee_prime(P), place(rng), spaces.rigid_body()
    x = np.concatenate([G[:3, 3], spaces.columns(G[:3, :3])])
    Gamma = body.connection(lambda z: M + 0 * z[0], x)
    return {"(3.61), all entries": largest(Gamma - table_3_61(M)[0])}


def varying(x: Array) -> Array:
    """Return a metric on SO(3) that depends on R."""
    R = spaces.matrix(x)
    D = np.diag([1.0, 2.0, 3.0])
    return D + 0.3 * R @ D @ R.T + 0.2 * np.diag([R[0, 0] * R[1, 2], 0 * x[0], R[2, 1] ** 2])


def identities(rng: np.random.Generator) -> dict[str, float]:
    """Return the residuals of (3.33)."""
    c, x = spaces.rotation_matrix(), spaces.columns(place(rng)[:3, :3])
    Gamma, M, dM, gamma = c.connection(varying, x), varying(x), c.derivative(varying, x), c.gamma(x)
    skew = np.einsum("ijs,sk->ijk", gamma, M)
    return {
        "(3.33a), a metric on SO(3)": largest(dM - Gamma - Gamma.transpose(1, 0, 2)),
        "(3.33b), a metric on SO(3)": largest(skew - Gamma.transpose(2, 1, 0) + Gamma.transpose(1, 2, 0)),
    }


def of_tree() -> dict[str, float]:
    """Return the residuals of (3.112) on the tricopter."""
    t = tricopter("absolute")
    xi = STATE
    Gamma, c = t.connection(X), t.coordinates()
    direct = c.connection(t.mass, X)
    return {
        "(3.112) against (3.35), tricopter": largest(Gamma - direct),
        "Gamma xi xi = c, tricopter": largest(np.einsum("ijk,j,k->i", Gamma, xi, xi) - t.bias(X, xi)),
    }


def run() -> Measured:
    rng = np.random.default_rng(3)
    residuals = worst([body_trial(rng) for _ in range(20)]) | worst([identities(rng) for _ in range(20)])
    return {"entries": table_3_61(np.eye(6))[1], "residuals": residuals | of_tree()}


def verdict(result: Measured) -> Verdict:
    worst_of = max(result["residuals"].values())
    return Verdict(
        "reproduced" if worst_of <= BOUND else "differs",
        f"the {result['entries']} printed entries, their skew partners and all zeros agree; the largest "
        f"residual is {worst_of:.1e} ((3.112) with its bracket corrected, see errata)",
    )


def plot(result: Measured) -> Bars:
    return residuals(result["residuals"], BOUND)
