"""Forces, one kind in each file: functions, impulses, springs, stiffness, forces at joints."""
