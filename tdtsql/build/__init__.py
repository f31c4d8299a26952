"""Code that compiles definitions and renders them for other engines; computing numbers does not need it."""
