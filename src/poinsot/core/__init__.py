"""The compiled core: functions of numbers, without names, files or exceptions."""
