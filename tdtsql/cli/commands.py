"""The command line as a table, read from ``commands.toml``: commands, what is shared by many, and what was deleted.

Options follow from a function's signature, help from its docstring (`tdtsql.cli.options`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tdtsql.toml_file import toml_beside

_TABLE = toml_beside(__file__)


@dataclass(frozen=True)
class Command:
    """A command and the function that it calls."""

    function: str  #: module below tdtsql, a colon, and the name
    positional: str = ""  #: parameters that are arguments; [name]: of any number, also none
    #: how the store is opened: read, inspect (also where it is damaged), stated (so, with a report of what is stale),
    #: write, change (write, with --by), current (missing numbers can be computed), scored (and are), named (by the
    #: function, must be there), new (by the function, may be missing), fill (so, with --by), optional (none without
    #: --db), "" (none)
    opens: str = "read"
    prints: str = "rows"  #: rows (--format, --output), signed (--signature too), format (--format alone), or nothing
    options: Mapping[str, str] = field(default_factory=dict)  #: parameter -> its option, where it is another one
    needed: Sequence[str] = ()  #: options without which it does nothing, although a method has a default for them


#: first words of commands -> one line of help
NOUNS: dict[str, str] = _TABLE["noun"]
COMMANDS = {name: Command(**row) for name, row in _TABLE["command"].items()}
#: parameters with a short option; help of parameters without text in their function
SHORT: dict[str, str] = _TABLE["short"]
HELP: dict[str, str] = _TABLE["help"]
#: how a store is opened, how rows are printed -> the options that this takes
OPENS: dict[str, list[str]] = _TABLE["opens"]
PRINTS: dict[str, list[str]] = _TABLE["prints"]
#: options of many commands
SHARED: dict[str, dict[str, Any]] = _TABLE["shared"]
#: deleted commands and options, each with what replaces it
REPLACED: list[list[str]] = _TABLE["replaced"]["rows"]
