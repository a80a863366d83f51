"""Templates: the wanted behaviour of the error, by four ways to measure it.

`template.py` puts together the errors of its pairs (`motion_error`), their laws (`kinds`) and the transport
of velocities that the energy laws need (`transport`).
"""
