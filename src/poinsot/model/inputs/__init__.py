"""Inputs of controllers: what a number u sets.  `input.py` says what every kind answers."""

from poinsot.model.inputs.input import Input as Input
from poinsot.model.inputs.motor import Actuator as Actuator
from poinsot.model.inputs.rotor import Thrust as Thrust
from poinsot.model.inputs.rotor import TiltRotor as TiltRotor
from poinsot.model.inputs.servo import Servo as Servo
from poinsot.model.inputs.torque import ReactionWheel as ReactionWheel
from poinsot.model.inputs.torque import WrenchInput as WrenchInput
