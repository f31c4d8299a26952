"""Files of users: found, digested, read as relations of rows. Only this package opens them."""
