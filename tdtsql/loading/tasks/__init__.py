"""One module per task: how its conditions and runs are read."""
