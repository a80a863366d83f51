"""Bodies in a tree of joints: records, articulated inertia, one file a joint."""
