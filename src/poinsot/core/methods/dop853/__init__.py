"""The method DOP853 and its tableau."""
