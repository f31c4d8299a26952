"""What makes the empty store of the package; not needed at run time."""
