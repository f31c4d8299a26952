"""Numbers from what is loaded: views narrowed to runs, kept results, fitted distributions, hierarchies."""
