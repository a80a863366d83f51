"""Slips of the notebook that can be seen but not measured: where they are, and what is wrong."""

INSPECTION = (
    "oneStepForcedRotationalMotion: w is stepped with constant q and torque, q with the old w, which is "
    "explicit Euler where a torque depends on q (see rig, tqdl-step)",
    "ISSUE and Mystery: tau_s is computed before c_s is updated and lags by one more step (the gain of 29.2 "
    "J is 13.5 J without the lag)",
    "rig: the reaction is m g whatever the acceleration of the centre of mass, and the translational energy "
    "is missing; this is neither a fixed pivot nor a cart without mass (see rig)",
    "Conclusion of the mystery: a smaller step reduces the error of any consistent scheme and proves nothing "
    "about the dynamics",
    "rod1: the moment of inertia is that of the cylinder cyl, not of the rod",
    "g is -9.81 in the constants and in PrigR, +9.81 in LrigR and LdRigR: the potential has two signs",
    "runSimForcedRotationalMotion: dt is 0.03 where the text says 10 ms; the run under DREPE at 0.03 s, "
    "which is said to be better, is the same run",
    "showApparatus: the displayed energy is the square root of the energy",
    "Mystery: dEsrotdt multiplies a rate in space by the momentum in the body frame",
    "foldableDele: q1 comes from a step of 0.01 s, the run has steps of 0.00125 s (see dele-start)",
    "DELE: a variational method conserves the energy within a band, and only while the chart is regular (see "
    "dele)",
    "DREPE: with the signs of (16b) and (16c) an external impulse enters with a minus, here with a plus",
    "DREPE: its residual is evaluated at poses of the other scheme; no step is ever solved for (see drepe, "
    "dzhanibekov-step)",
    "runSim...WithDREPE: t grows by 2 h in a step; runSimSO3...: t += dt, which is not its h",
    "runSim...WithDREPErig: it uses the inertia of Dzhanibekov, F = (-1, ..., -1), and a torque that is "
    "computed but not used",
    "last section: 0.3 instead of the .01 should be 0.03",
    "random inputs of Out[511], Out[518] and Out[519] are not printed: not reproducible",
)
