"""User-defined metrics: one SQL file with the header of a view, checked before any of it runs.

The text may come from an untrusted bundle or archive. Only functions of a list of pure ones are allowed. They are read
from the tokens of the text and not from a parser's tree, so a function of a later engine is refused until it is added.

Code   Meaning
E980   a missing header, or a missing, unknown or malformed field of it
E981   more or less than one SELECT, or a text that cannot be parsed
E982   inputs in the header that differ from the relations of the SELECT
E983   a relation outside the store: a file, a table function, another schema
E984   a function that is not known to be deterministic
E985   a result that depends on the order of rows
E986   columns, grain, metrics or class that do not match the SELECT
E987   a SELECT that fails on the tables of a store
E988   an invalid name or version of the file
E989   a grain that is not unique for the runs of the store
E990   a construct that only DuckDB computes, for a store in another engine
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from tdtsql.errors import BrokenDefinition, Problem, Problems, escape_control
from tdtsql.engine.user_query import OWN_SCHEMA
from tdtsql.definitions.catalogue import Relation, catalog, sql_root, written
from tdtsql.definitions.table import tables
from tdtsql.definitions.hashes import digest, text_hash
from tdtsql.definitions.header import FIELDS, REQUIRED, Header, Published, parse
from tdtsql.definitions.lexer import OTHER, STRING, Token, tokens
from tdtsql.definitions.macro import Macro, read_macros
from tdtsql.task import TASKS, WEIGHTINGS

if TYPE_CHECKING:  # a quarter of a second to import
    from sqlglot import exp

#: how ids of such metrics begin
PREFIX = "own:"
_NAME = re.compile(r"([a-z][a-z0-9_]{0,62}?)__v([1-9][0-9]{0,3})")
_WHOLE = re.compile(r"[a-z][a-z0-9_]{0,62}")

#: deterministic functions that do not depend on the order of rows; a test compares them with the engine
PURE = frozenset(
    """
    abs acos asin atan atan2 bit_and bit_or bit_xor bool_and bool_or cast cbrt ceil ceiling coalesce concat concat_ws
    contains cos cot count date_diff date_part date_trunc decimal degrees dense_rank epoch even exp extract factorial
    floor gamma gcd greatest if ifnull instr isfinite isinf isnan lag lcm lead least left length levenshtein lgamma ln
    log log10 log2 lower lpad ltrim max median min mod nullif pow power quantile_cont quantile_disc radians rank
    replace reverse right round row_number rpad rtrim sign sin sqrt starts_with strlen substr substring sum tan tanh
    trim trunc try_cast upper year
    """.split()
)
#: words before a parenthesis that are no functions
_WORDS = frozenset(
    "all and any as between by case cross distinct else except exists filter from full group having in inner intersect "
    "is join lateral left like not on or order over partition right select then union using values when where with "
    "recursive materialized asc desc".split()
)
_ORDERED = frozenset(
    "any_value arbitrary arg_max arg_min argmax argmin array_agg first first_value group_concat histogram last "
    "last_value "
    "list listagg max_by min_by mode nth_value string_agg avg mean favg fsum kahan_sum sumkahan stddev stddev_pop "
    "stddev_samp var_pop var_samp variance corr covar_pop covar_samp regr_slope entropy kurtosis skewness "
    "product".split()
)
_NOT_TWICE = frozenset(
    "random rand uuid gen_random_uuid uuidv4 uuidv7 now today current_date current_time current_timestamp localtime "
    "localtimestamp current_localtime current_localtimestamp get_current_timestamp transaction_timestamp nextval "
    "currval "
    "setseed version current_user user session_user current_role current_schema current_catalog current_database "
    "current_setting pg_backend_pid "
    "txid_current getenv getvariable hash".split()
)
_FILES = frozenset(
    "read_csv read_csv_auto read_parquet parquet_scan read_json read_json_auto read_json_objects read_ndjson read_text "
    "read_blob glob sniff_csv duckdb_settings duckdb_tables duckdb_views duckdb_secrets duckdb_functions "
    "pragma_version "
    "sqlite_scan postgres_scan iceberg_scan delta_scan query query_table".split()
)
#: keywords without a parenthesis that are not deterministic, or limit rows
_BARE = _NOT_TWICE & frozenset(
    "current_date current_time current_timestamp localtime localtimestamp user session_user current_user current_role "
    "current_schema current_catalog".split()
)
_CUT = frozenset("limit offset fetch sample tablesample rowid".split())
#: other ways to read a relation, and what is before them
_NO_SELECT = frozenset("table pivot unpivot pivot_wider pivot_longer describe desc summarize show".split())
_BEFORE_SELECT = frozenset("( all distinct union except intersect name".split())
_RANKS = frozenset("row_number rank dense_rank lead lag".split())
#: texts that are other times each time, after the name of a type or before a cast
_TIMES = frozenset("now today tomorrow yesterday".split())
_TYPES_OF_TIME = frozenset("date time timestamp timestamptz timetz datetime".split())
#: functions that are written with FROM
_FROM_INSIDE = frozenset("extract substring trim overlay".split())


#: returns line and column of a word
_Places = Callable[[Token], tuple[int, int]]


@dataclass(frozen=True)
class OwnMetric:
    """A definition that passed the check."""

    relation: Relation
    text: str
    tasks: tuple[str, ...]
    sha256: str  #: of its words and of what it publishes
    path: str
    notes: tuple[Problem, ...] = ()  #: why other engines than DuckDB cannot compute it (E990)

    @property
    def name(self) -> str:
        return self.relation.alias.removeprefix(f"{OWN_SCHEMA}.")

    def beyond(self, dialect: str) -> tuple[Problem, ...]:
        """Return why an engine of this dialect cannot compute it."""
        return () if dialect == "duckdb" else self.notes


def read_own(text: str, path: str, name: str, known: Mapping[str, Relation]) -> tuple[OwnMetric | None, Problems]:
    """Return a definition, or None if it has a defect, and all defects that its text shows.

    Args:
        path: as messages call it.
        name: of the relation, ``balanced_accuracy__v1``.
        known: other user-defined metrics, by name.
    """
    problems = Problems(path)
    match = _NAME.fullmatch(name)
    if match is None or re.search(r"__v\d+$", match[1]):
        advice = "Call it NAME__v1.sql: lower-case letters, digits and _, one version from 1 to 9999."
        if _WHOLE.fullmatch(name) and "__v" not in name:
            advice = f"Call it {name}__v1.sql."
        problems.add("E988", "the name has no version or is not valid", advice, 1, 1, name)
    if len(text) > 1_000_000:
        problems.add("E980", "the file has more than a million characters", "Is it a metric?", 1, 1)
        return None, problems
    for number, line in enumerate(text.split("\n"), 1):
        if (seen := escape_control(line, keep="\t\r")) != line:
            column = next(at for at, (one, other) in enumerate(zip(line, seen, strict=False), 1) if one != other)
            problems.add("E980", "the line has a control character", "Remove it.", number, column)
            return None, problems
    header, body, begin = _header(text, path, problems)
    if header is None:
        return None, problems
    relation = _relation(header, body, begin, path, name, problems)
    if relation is None or problems.errors:
        return None, problems
    tasks = tuple(dict.fromkeys(part for part in re.split(r"[,\s]+", header.fields["tasks"].strip()) if part))
    return OwnMetric(relation, text, tasks, _hash(relation), path), problems


def own_relation(text: str, name: str) -> Relation:
    """Return the relation of a definition that was checked when it was stored."""
    path = f"{OWN_SCHEMA}.{name}"
    return _made(*parse(text, path, (*REQUIRED, "tasks"), (*FIELDS, "tasks")), path, name, _macros(sql_root()))


@cache
def _macros(root: Path) -> dict[str, Macro]:
    return read_macros(root)


def _made(header: Header, body: str, line: int, path: str, name: str, macros: Mapping[str, Macro]) -> Relation:
    published = tuple(
        Published(PREFIX + metric.metric, metric.n, metric.best, metric.title, metric.column)
        for metric in header.metrics
    )
    header = replace(header, metrics=published)
    return written(f"{OWN_SCHEMA}.{name}", Path(path), header, body, line, macros, path)


def _hash(relation: Relation) -> str:
    macros = [part for macro in relation.macros for part in (macro.name, text_hash(macro.text))]
    header = relation.header
    published = [part for metric in header.metrics for part in (metric.metric, metric.n, metric.best)]
    return digest(
        ["own", text_hash(relation.plain), *macros, *published, *header.grain, *header.fields["tasks"].split()]
    )


# ---- the header


def _header(text: str, path: str, problems: Problems) -> tuple[Header | None, str, int]:
    """Return the header, the SELECT below it, and the line on which that begins."""
    end = text.find("*/")
    if not text.lstrip().startswith("/*") or end < 0:
        problems.add("E980", "no header", "Start the file with /* title: ... */: `tdtsql metric new` does.", 1, 1)
        return None, "", 1
    known = (*FIELDS, "tasks")
    lines: dict[str, int] = {}
    for number, line in enumerate(text[:end].splitlines(), start=1):
        if match := re.match(r"([a-z][a-z ]*):", line):
            what, advice = "an unknown field", f"Known are {', '.join(known)}."
            if match[1] in lines:
                what, advice = "a field twice", f"The first is in line {lines[match[1]]}. Leave one out."
            if match[1] in lines or match[1] not in known:
                problems.add("E980", f"the header has {what}", advice, number, 1, match[1])
            lines.setdefault(match[1], number)
    for name in (*REQUIRED, "tasks", "metrics"):
        if name not in lines:
            problems.add("E980", f"the header has no '{name}'", "Add it.", 1, 1, name)
    if problems.errors:
        return None, "", 1
    try:
        header, body, begin = parse(text, path, (*REQUIRED, "tasks", "metrics"), known)
    except BrokenDefinition as error:
        said = str(error).removeprefix(f"{path}: ")
        quoted = re.search(r"'([^']+)'", said)
        at = next((n for n, one in enumerate(text.splitlines(), 1) if quoted and quoted[1] in one), 1)
        problems.add("E980", said.partition(". ")[0].rstrip("."), "Correct the header.", at, 1)
        return None, "", 1
    for task in re.split(r"[,\s]+", header.fields["tasks"].strip()):
        if task not in TASKS:
            problems.add("E980", "unknown task", f"Tasks are {', '.join(TASKS)}.", lines["tasks"], 1, task)
    if header.is_external:
        problems.add("E980", "class external is for views of tdtsql", "Write exact or libm.", lines["class"], 1)
    if not body:
        problems.add("E981", "missing SELECT below the header", "Add it.", text.count("\n") + 1, 1)
        return None, "", 1
    return header, body, begin


# ---- the SELECT


def _relation(header: Header, body: str, begin: int, path: str, name: str, problems: Problems) -> Relation | None:
    try:
        words = tokens(body)
    except BrokenDefinition as error:
        line = int(m[1]) if (m := re.search(r"line (\d+): '?(.)", str(error))) else 1
        problems.add(
            "E981",
            "the text cannot be read: plain SQL in ASCII, strings in single quotes",
            "Correct the line.",
            begin + line - 1,
            body.split("\n")[line - 1].find(m[2]) + 1 or 1 if m else 1,
        )
        return None

    def at(token: Token) -> tuple[int, int]:
        return begin + body.count("\n", 0, token.start), token.start - body.rfind("\n", 0, token.start)

    tree = _one_select(body, words, begin, at, problems)
    if tree is None:
        return None
    macros = _macros(sql_root())
    _check_words(words, macros, at, problems)
    _check_order(header, tree, words, at, problems)
    try:
        relation = _made(header, body, begin, path, name, macros)
    except BrokenDefinition as error:
        problems.add("E981", str(error).rstrip("."), "Correct the call.", begin, 1)
        return None
    _check_inputs(relation, tree, words, at, problems)
    _check_columns(relation, begin, problems)
    return relation


def _one_select(body: str, words: list[Token], begin: int, at: _Places, problems: Problems) -> "exp.Query | None":
    """Return the tree of the text if it is one SELECT."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    for place, token in enumerate(words):
        if token.kind == OTHER and token.text == ";":
            if (after := words[place + 1] if place + 1 < len(words) else None) is not None:
                problems.add("E981", "a second statement", "A metric is one SELECT.", *at(after), after.text)
            else:
                problems.add("E981", "a semicolon", "Leave it out.", *at(token))
            return None
    if not words or words[0].text not in ("select", "with", "("):
        problems.add("E981", "no SELECT", "A metric is one SELECT.", begin, 1, words[0].text if words else None)
        return None
    try:
        [tree] = sqlglot.parse(body, read="duckdb")
        if isinstance(tree, exp.Query):
            return tree
        problems.add("E981", "not one SELECT", "A metric is one SELECT.", begin, 1)
    except (SqlglotError, ValueError, RecursionError) as error:
        found = (getattr(error, "errors", None) or [{}])[0]
        problems.add(
            "E981",
            "the SELECT does not parse",
            "Correct it.",
            begin + (found.get("line") or 1) - 1,
            found.get("col") or 1,
            found.get("highlight"),
        )
    return None


def _check_words(words: list[Token], macros: Mapping[str, Macro], at: _Places, problems: Problems) -> None:
    sources, allowed = set(_sources(words)), PURE.union(macros)
    for place, token in enumerate(words):
        if found := _defect(words, place, allowed, place - 1 in sources):
            code, message, *advice = found
            value = token.text if token.kind == STRING else token.text.lower()
            problems.add(code, message, "".join(advice), *at(token), value)


def _defect(words: list[Token], place: int, allowed: Collection[str], is_relation: bool) -> tuple[str, ...] | None:
    """Return the code, the message and the advice on a word that a metric may not use; None of one that it may."""
    token, text = words[place], words[place].text
    after = words[place + 1] if place + 1 < len(words) else None
    follows = after.text if after is not None and after.kind == OTHER else ""
    before = words[place - 1].text if place else None
    if token.kind == STRING:
        if is_relation:
            return "E983", f"'{text}' is a file: a metric reads relations of the store"
        if text.strip().lower() in _TIMES and (follows in ("as", "::") or before in _TYPES_OF_TIME):
            return "E984", f"'{text}' is another time each time"
        return None
    if follows == "(" and re.fullmatch(r"[A-Za-z_]\w*", text) and not (token.kind == OTHER and text in _WORDS):
        name = text.lower()
        if name in allowed or _names_columns(words, place):
            return None
        if name in _FILES:
            return "E983", f"{name} reads what is outside: a metric reads relations of the store"
        if name in _NOT_TWICE:
            return "E984", f"{name}() returns another value each time"
        if name in _ORDERED:
            instead = "min, max, or row_number() over an order that ends in the keys"
            instead = "exact_mean(x)" if name in ("avg", "mean") else instead
            return "E985", f"{name} depends on the order of rows", f"Write {instead}."
        if is_relation:
            return "E983", f"{name} makes a table: a metric reads relations of the store"
        advice = "Use the macros of sql/macro, or functions of the portable subset."
        return "E984", f"function '{name}' is not known to give the same each time", advice
    if text == "zone" and before == "time" or token.kind == OTHER and text in ("timestamptz", "timetz"):
        return "E984", f"{text} depends on the time zone of the session"
    if token.kind != OTHER:
        return None
    if text in _BARE and "." not in (before, follows):
        return "E984", f"{text} returns another value each time"
    if text == "collate" and before != ".":
        return "E984", "collate orders texts as the locale data of the engine does", "Write lower(x)."
    if text in _NO_SELECT and (before is None or before in _BEFORE_SELECT):
        return "E981", f"{text} is not a SELECT", "Write select ... from."
    if text in _CUT and before not in (".", "as", ","):
        advice = "Write row_number() over an order that ends in the keys, and keep its first rows."
        return "E985", f"{text} selects rows that depend on their order", advice
    return None


def _check_order(header: Header, tree: "exp.Query", words: list[Token], at: _Places, problems: Problems) -> None:
    """Report what depends on the order of rows: windows over rows that may tie, DISTINCT ON, joins that pick a row."""
    from sqlglot import exp

    from tdtsql.build.lowered import inline_windows

    def wrong(node: exp.Expr, word: str, message: str, advice: str) -> None:
        lines = {part.meta["line"] for part in node.walk() if "line" in part.meta}
        found = [token for token in words if token.kind == OTHER and token.text == word]
        near = [token for token in found if at(token)[0] - header_end in lines]
        problems.add("E985", f"{word} {message}", advice, *at((near or found or words)[0]), word)

    header_end = at(words[0])[0] - 1
    tree = tree.copy()
    for select in list(tree.find_all(exp.Select)):
        inline_windows(select)
        if (distinct := select.args.get("distinct")) is not None and distinct.args.get("on"):
            wrong(distinct, "distinct", "on keeps a row that depends on their order", "Write qualify row_number() = 1.")
        for join in select.args.get("joins") or []:
            if (method := (join.args.get("method") or "").lower()) in ("asof", "positional"):
                wrong(join, method, "join picks rows by their order", "Write a join on the keys.")
    for cte in tree.find_all(exp.CTE):
        if not isinstance(cte.this, exp.Union) or cte.this.args.get("distinct"):
            continue
        if any(one.name == cte.alias for one in cte.find_all(exp.Table)):
            step = cte.this.expression
            if isinstance(step, exp.Select) and not (step.args.get("where") or step.args.get("joins")):
                wrong(step, "recursive", "has no end: its step is without a condition", "Write where.")
    for window in tree.find_all(exp.Window):
        function = window.find(exp.Func)
        name = function.sql_name().lower() if function is not None else ""
        frame = window.args.get("spec")
        if name in ("rank", "dense_rank") and window.args.get("order") is not None:
            continue
        is_ordered = name in _RANKS or frame is not None and (frame.args.get("kind") or "").upper() == "ROWS"
        if is_ordered and (lacks := _ties(header, window)):
            said = f"over an order that does not end in the keys of its rows{lacks.rstrip()}"
            wrong(window, name, said, "End order by in a key.")


def _ties(header: Header, window: "exp.Window") -> str:
    """Return why rows of a window may have the same place in its order, or nothing; `` `` where it has no key."""
    from sqlglot import exp

    order, frame = window.args.get("order"), window.args.get("spec")
    if frame is not None and {frame.args.get("start"), frame.args.get("end")} == {"UNBOUNDED"}:
        return ""
    keys = {column.name for column in header.columns if column.is_key}
    terms = [one.this for one in order.expressions] if order is not None else []
    if (
        not terms
        or not isinstance(terms[-1], exp.Column)
        or not (terms[-1].name in keys or terms[-1].name.endswith("_no"))
    ):
        return " "
    select = window.parent_select
    tables = list(select.find_all(exp.Table)) if select is not None else []
    if select is None or len(tables) != 1 or f"{tables[0].db}.{tables[0].name}" not in catalog():
        return ""  # the keys of its rows are not known
    where = select.args.get("where")
    fixed = [one.find(exp.Column) for one in where.find_all(exp.EQ)] if where is not None else []
    split = [one for one in (*(window.args.get("partition_by") or ()), *terms, *fixed) if isinstance(one, exp.Column)]
    grain = catalog()[f"{tables[0].db}.{tables[0].name}"].header.grain
    lacks = [key for key in grain if key not in {column.name for column in split}]
    return f": {', '.join(lacks)}" if lacks else ""


def _sources(words: list[Token]) -> Iterator[int]:
    """Yield the places of FROM and JOIN before a relation, not of ``is distinct from`` and ``trim(x from y)``."""
    opened: list[str] = []  # the word before each parenthesis
    for place, token in enumerate(words):
        before = words[place - 1].text if place else ""
        if token.kind != OTHER:
            continue
        if token.text == "(":
            opened.append(before)
        elif token.text == ")" and opened:
            opened.pop()
        elif token.text == "join" or (
            token.text == "from" and before != "distinct" and (not opened or opened[-1] not in _FROM_INSIDE)
        ):
            yield place


def _names_columns(words: list[Token], place: int) -> bool:
    """Return whether a word before a parenthesis names columns: ``as v(a)``, ``with c(a) as (``, ``* exclude (``."""
    before = words[place - 1].text if place and words[place - 1].kind == OTHER else ""
    if before == "as" or before == "*" and words[place].text in ("exclude", "rename"):
        return True
    if before not in ("with", "recursive", ","):
        return False
    depth = 0
    for end in range(place + 1, len(words)):
        depth += {"(": 1, ")": -1}.get(words[end].text, 0) if words[end].kind == OTHER else 0
        if depth == 0:
            follows = [word.text for word in words[end + 1 : end + 3]]
            return follows[:1] == ["as"] and follows[1:] in (["("], ["materialized"], ["not"])
    return False


def _check_inputs(relation: Relation, tree: "exp.Query", words: list[Token], at: _Places, problems: Problems) -> None:
    from sqlglot import exp

    named, ctes = set(relation.header.inputs), {cte.alias for cte in tree.find_all(exp.CTE)}
    ctes |= {name.lower() for name in ctes}
    read = set()
    for place in _sources(words):
        rest = words[place + 1 :]
        first = next(iter(rest), None)
        if first is None or first.kind == STRING:
            continue
        if first.text == "(":
            inner = next((token for token in rest if token.text != "("), first)
            if inner.kind != OTHER or inner.text not in ("select", "with", "values", "from"):
                problems.add("E983", "a relation in parentheses", "Leave the parentheses out.", *at(inner), inner.text)
            continue
        name, step = first.text, 1
        while len(rest) > step + 1 and rest[step].text == ".":
            name, step = f"{name}.{rest[step + 1].text}", step + 2
        follows = rest[step:]
        if follows and follows[0].text == "(":
            pass  # a function, by its name
        elif "." in name:
            read.add(name)
            _check_relation(name, named, first, at, problems)
        elif name not in ctes:
            problems.add("E983", f"{name} is not a relation of the store", "Write schema.name.", *at(first), name)
        after_alias = follows
        if follows and follows[0].text == "as":
            after_alias = follows[2:]
        elif follows and follows[0].kind == OTHER and _is_alias(follows[0].text):
            after_alias = follows[1:]
        if after_alias and after_alias[0].text == ",":
            problems.add("E982", "a relation after a comma", "Write cross join.", *at(after_alias[0]), ",")
    for name in sorted(named - read):
        problems.add("E982", f"inputs names {name}, which is not read", "Leave it out.", 1, 1, name)


def _is_alias(word: str) -> bool:
    return bool(re.fullmatch(r"[a-z_]\w*", word)) and word not in _WORDS | {"group", "where", "qualify", "window"}


def _check_relation(name: str, named: set[str], token: Token, at: _Places, problems: Problems) -> None:
    schema = name.split(".", maxsplit=1)[0]
    if schema not in ("base", "metric", "registry", OWN_SCHEMA):
        problems.add(
            "E983",
            f"{name} is not a relation that a metric may read",
            "Views of base and metric by version, tables of registry and base, and own.NAME__vN.",
            *at(token),
            name,
        )
    elif name not in named:
        problems.add("E982", f"{name} is read and not named in inputs", "Add it.", *at(token), name)
    elif schema in ("base", "metric", "registry") and name not in catalog() and name not in tables():
        problems.add("E982", f"{name} does not exist", "`tdtsql sql schema` lists relations.", *at(token), name)


def _check_columns(relation: Relation, begin: int, problems: Problems) -> None:
    import sqlglot
    from sqlglot import exp

    header = relation.header
    [tree] = sqlglot.parse(relation.body, read="duckdb")
    if not isinstance(tree, exp.Query):  # checked above
        return
    outputs, names = tree.named_selects, [column.name for column in header.columns]

    def wrong(message: str, value: object, advice: str) -> None:
        problems.add("E986", message, advice, begin, 1, value)

    if outputs != names:
        odd = next((name for name in (*outputs, *names) if (name in outputs) != (name in names)), outputs[0])
        wrong(f"columns are not the select list ({', '.join(outputs)[:150]})", odd, "Write both in one order.")
    if len(set(names)) < len(names):
        wrong("two columns have one name", next(name for name in names if names.count(name) > 1), "Rename one.")
    keys = [column.name for column in header.columns if column.is_key]
    if list(header.grain) != keys:
        wrong("grain is not the columns marked key, in order", ", ".join(header.grain), f"Write {', '.join(keys)}.")
    allowed = {"run_no", "profile_no", "subset_no", "block_no", "weighting"}
    if not header.grain or header.grain[0] != "run_no":
        wrong("grain does not begin with run_no", ", ".join(header.grain), "Add it.")
    if set(header.grain) - allowed or len({"block_no", "weighting"} & set(header.grain)) != 1:
        advice = "Correct it."
        if "measure_no" in header.grain:
            advice = "It is of one measure: choose that by its name, where measure = '...' of base.item_measure."
        wrong(
            "grain needs block_no or weighting, and otherwise only run_no, profile_no and subset_no",
            ", ".join(header.grain),
            advice,
        )
    for node in tree.find_all(exp.Alias):
        if node.alias == "weighting" and node.this.is_string and node.this.name not in WEIGHTINGS:
            wrong("unknown weighting", node.this.name, f"Weightings are {', '.join(WEIGHTINGS)}.")
    ids = [metric.column for metric in header.metrics]
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        wrong("metrics has a column twice", name, "Leave one out.")
    for metric in header.metrics:
        if not _WHOLE.fullmatch(metric.column):
            wrong("the id of a metric has other characters than letters, digits and _", metric.column, "Rename it.")
        for what, column in (("metric", metric.column), ("n", metric.n)):
            if column not in names:
                wrong(f"{what} is not a column", column, "Add the column, or correct the line of metrics.")
        if metric.best not in ("lowest", "highest", "none"):
            wrong("best is not lowest, highest or none", metric.best, "Correct the line of metrics.")
        if metric.metric.removeprefix(PREFIX) != metric.column:
            wrong("a metric has the name of its column", metric.metric, "Leave ` as ` out.")
    from tdtsql.build.lint import LIBM

    words = tokens(relation.body)
    called = {one.text.lower() for one, after in pairwise(words) if after.text == "("}
    libm = sorted(called & LIBM | ({"**"} & {one.text for one in words}))
    if libm and header.is_exact:
        wrong(f"class is exact, and {', '.join(libm)} differs between machines", libm[0], "Write class: libm.")


def skeleton(name: str, task: str) -> str:
    """Return a definition that passes the check: the share of a task's rows of a run, to be changed."""
    table = TASKS[task].run_table
    block = "block_no" if "block_no" in tables()[table].columns else None
    grain = "run_no, block_no" if block else "run_no, weighting"
    columns = "run_no, block_no" if block else "run_no, 'topic' as weighting"
    key = "    block_no   key      block\n" if block else "    weighting  key      topic\n"
    return f"""/*
title:    {name}: say what it is
formula:  say how it is computed
source:   Our own: say why
tasks:    {task}
inputs:   {table}
grain:    {grain}
columns:
    run_no     key      run
{key}    {name}  number of rows  what it is; NULL where it is undefined
    n_row      count    rows
metrics:
    {name}  n=n_row  best=none  {name}
edges:    say what happens in the strange cases
class:    exact
*/
select {columns}, cast(count(*) as double) as {name}, count(*) as n_row
from {table}
group by run_no{", block_no" if block else ""}
"""


def double_sums(relation: Relation, types: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[int, int]]:
    """Yield (line, column) of every sum of doubles.

    Args:
        types: relation -> column -> type.
    """
    from sqlglot import exp

    from tdtsql.build.parsing import parse as parsed
    from tdtsql.build.lint import typed

    for total in typed(parsed(relation), _by_schema(types)).find_all(exp.Sum):
        kind = total.this.type.this.value if total.this.type is not None else ""
        if kind in ("DOUBLE", "FLOAT", "UNKNOWN", ""):
            line = min((node.meta["line"] for node in total.walk() if "line" in node.meta), default=1)
            column = relation.plain.splitlines()[line - 1].find("sum") + 1
            yield relation.line + line - 1, max(column, 1)


def not_portable(relation: Relation, types: Mapping[str, Mapping[str, str]]) -> tuple[Problem, ...]:
    """Return a problem for each construct that only DuckDB computes; ``types`` as in `double_sums`."""
    from sqlglot.errors import SqlglotError

    from tdtsql.build.strict import strict_tree
    from tdtsql.build.lint import Finding, lint_relation, typed

    path = str(relation.path)
    findings = []
    if reason := relation.header.only_duckdb:
        findings.append(Finding(path, 1, "what its header says", reason, "what every engine has"))
    try:
        tree = strict_tree(relation, types.get)
        findings += lint_relation(relation, tree, typed(tree, _by_schema(types)))
    except (BrokenDefinition, SqlglotError) as error:  # names that only DuckDB resolves
        said = str(error).splitlines()[0].removeprefix(f"{path}: ")
        findings.append(Finding(path, relation.line, "a name", said, "every column with its table"))
    return tuple(
        Problem(
            "E990",
            path,
            finding.line,
            1,
            f"{finding.construct} is computed by DuckDB alone",
            finding.text,
            f"Write {finding.instead}.",
        )
        for finding in findings
    )


def _by_schema(types: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, dict[str, str]]]:
    schemas: dict[str, dict[str, dict[str, str]]] = {}
    for name, columns in types.items():
        schema, short = name.split(".")
        schemas.setdefault(schema, {})[short] = dict(columns)
    return schemas
