"""What can be checked of a store: invariants, signatures, where a number is from, what a change would do, archives."""
