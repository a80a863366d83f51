"""Robot files, URDF and MJCF, as mechanisms; and what is wrong with such files."""
