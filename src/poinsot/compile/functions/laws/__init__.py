"""Laws of control as compiled functions: what they read, decide at ticks, and do as forces."""
