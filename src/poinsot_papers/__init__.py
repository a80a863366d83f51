"""Claims of papers, measured with Poinsot: user code, on the public `poinsot` only.

An experiment is a file `<paper>/<name>.py` with four names:

    CLAIM                       a Claim: where the paper makes it, and what it says
    run() -> dict               the measurement: numbers, lists and strings only, ready for JSON
    verdict(result) -> Verdict  what the numbers say about the claim
    plot(result)                the figure as data (`figures.py`), or plot(result, figure), which draws it

The records of this version are in `<paper>/results/<name>.json`.  `poinsot reproduce` runs experiments again,
lists what has changed since, and draws the figures from the records.
"""
