"""Published numbers of scenarios of the gallery that several tests compare with."""

ANDREWS_ANGLES = (  # beta, Theta, gamma, Phi, delta, Omega, epsilon at the start
    -0.06171389001427645,
    0.0,
    0.45527981916307037,
    0.22266839016588588,
    0.48736497954384256,
    -0.22266839016588588,
    1.2305474445498212,
)
ANDREWS_LAST = (  # at 0.03 s, IVP test set
    15.81077119629904,
    -15.75637105984298,
    0.04082224013073101,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    1.048080741042263,
)
