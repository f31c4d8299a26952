"""Built-in tasks, a module each."""
