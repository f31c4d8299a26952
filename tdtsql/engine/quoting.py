"""Text and names, as SQL of every engine here takes them."""


def quoted(text: object) -> str:
    """Return text as a literal."""
    return "'" + str(text).replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a name as an identifier, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'
