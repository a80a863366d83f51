"""Slips of the notebook that can be seen but have no number of their own: where, and what it should say."""

INSPECTION = (
    "oneStepForcedRotationalMotion: w with frozen q and torque, q with the old w: explicit Euler where a "
    "torque depends on q (see rig, tqdl-step)",
    "ISSUE and Mystery: tau_s is computed before c_s is renewed and lags by one more step (29.2 J become "
    "13.5 J without the lag)",
    "rig: the reaction is m g whatever the acceleration of the centre of mass, and the translational energy "
    "is missing: neither a fixed pivot nor a cart without mass (see rig)",
    "Conclusion of the mystery: a smaller step cures the error of any consistent scheme and proves nothing "
    "about the dynamics",
    "rod1: the moment of inertia is that of the cylinder cyl, not of the rod",
    "g is -9.81 in the constants and in PrigR, +9.81 in LrigR and LdRigR: the potential has two signs",
    "runSimForcedRotationalMotion: dt is 0.03 where the text says 10 ms: the run under DREPE at 0.03 s, "
    "praised against it, is the same run",
    "showApparatus: what is displayed as energy is its square root",
    "Mystery: dEsrotdt multiplies a rate in space with the momentum in the body",
    "foldableDele: q1 comes from a step of 0.01 s, the run has 0.00125 s (see dele-start)",
    "DELE: energy conservation of a variational method holds up to a band, and only while the chart is good "
    "(see dele)",
    "DREPE: in the signs of (16b) and (16c) an external impulse enters with minus, here with plus",
    "DREPE: it watches poses of the other scheme and moves nothing; no step is ever solved for (see drepe, "
    "dzhanibekov-step)",
    "runSim...WithDREPE: t grows by h twice a step; runSimSO3...: t += dt, which is not its h",
    "runSim...WithDREPErig: the inertia of Dzhanibekov, F = (-1, ..., -1), and a torque that is computed and "
    "not used",
    "last section: 0.3 instead of the .01 should be 0.03",
    "random inputs of Out[511], Out[518] and Out[519] are not printed: not reproducible",
)
