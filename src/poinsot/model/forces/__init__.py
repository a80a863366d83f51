"""Forces, one idea a file: functions, impulses, springs, stiffness, forces at joints."""
