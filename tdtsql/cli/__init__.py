"""The command line: one table of commands, their arguments, exit codes and printing."""
