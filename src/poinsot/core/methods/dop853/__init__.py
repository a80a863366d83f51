"""DOP853: the method and its tableau."""
