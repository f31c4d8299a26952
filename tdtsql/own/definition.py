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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tdtsql.errors import BrokenDefinition, Problem, Problems
from tdtsql.engine.user_query import OWN_SCHEMA
from tdtsql.metric.catalog import Relation, catalog, sql_root
from tdtsql.metric.ddl import tables
from tdtsql.metric.fingerprint import digest, text_hash
from tdtsql.metric.header import FIELDS, REQUIRED, Header, Published, parse
from tdtsql.metric.lexer import OTHER, STRING, Token, tokens
from tdtsql.metric.macro import calls, expand, read_macros
from tdtsql.task import TASKS

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
    "is join left like not on or order over partition right select then union using values when where with recursive "
    "materialized asc desc".split()
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
    "setseed version current_user user session_user current_schema current_database current_setting pg_backend_pid "
    "txid_current getenv getvariable hash".split()
)
_FILES = frozenset(
    "read_csv read_csv_auto read_parquet parquet_scan read_json read_json_auto read_json_objects read_ndjson read_text "
    "read_blob glob sniff_csv duckdb_settings duckdb_tables duckdb_views duckdb_secrets duckdb_functions "
    "pragma_version "
    "sqlite_scan postgres_scan iceberg_scan delta_scan query query_table".split()
)
#: keywords without a parenthesis that are not deterministic, or limit rows
_BARE = _NOT_TWICE & frozenset("current_date current_time current_timestamp localtime localtimestamp user".split())
_CUT = frozenset(("limit", "offset", "fetch", "sample", "tablesample"))
_RANKS = frozenset("row_number rank dense_rank lead lag ntile percent_rank cume_dist".split())


@dataclass(frozen=True, slots=True)
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


def read_own(text: str, path: str, name: str, known: Mapping[str, Relation]) -> tuple[OwnMetric | None, Problems]:
    """Return a definition, or None if it has a defect, and all defects that its text shows.

    Args:
        path: as messages call it.
        name: of the relation, ``balanced_accuracy__v1``.
        known: other user-defined metrics, by name.
    """
    problems = Problems(path)
    match = _NAME.fullmatch(name)
    if match is None:
        advice = (
            f"Call it {name}__v1.sql." if _WHOLE.fullmatch(name) else "Call it NAME__v1.sql: letters, digits and _."
        )
        problems.add("E988", "the name has no version or is not valid", line=1, column=1, value=name, advice=advice)
    if len(text) > 1_000_000:
        problems.add("E980", "the file has more than a million characters", line=1, column=1, advice="Is it a metric?")
        return None, problems
    header, body, begin = _header(text, path, problems)
    if header is None:
        return None, problems
    relation = _relation(header, body, begin, path, name, problems)
    if relation is None or problems.errors:
        return None, problems
    tasks = tuple(part for part in re.split(r"[,\s]+", header.fields["tasks"].strip()) if part)
    return OwnMetric(relation, text, tasks, _hash(relation), path), problems


def own_relation(text: str, name: str) -> Relation:
    """Return the relation of a definition that was checked when it was stored."""
    header, body = parse(text, f"{OWN_SCHEMA}.{name}", (*REQUIRED, "tasks"), (*FIELDS, "tasks"))
    return _made(header, body, f"{OWN_SCHEMA}.{name}", name, text.count("\n", 0, text.rindex(body)) + 1)


def _made(header: Header, body: str, path: str, name: str, line: int) -> Relation:
    macros = read_macros(sql_root())
    used = sorted({every for macro in calls(body, macros) for every in (macro, *macros[macro].calls)})
    published = tuple(
        Published(PREFIX + metric.metric, metric.n, metric.best, metric.title, metric.column)
        for metric in header.metrics
    )
    header = Header(header.title, header.fields, header.inputs, header.grain, header.columns, published)
    return Relation(
        f"{OWN_SCHEMA}.{name}",
        Path(path),
        header,
        expand(body, macros, path),
        body,
        tuple(macros[macro] for macro in used),
        tuple(used),
        line,
    )


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
        problems.add(
            "E980",
            "no header",
            line=1,
            column=1,
            advice="Start the file with /* title: ... */: `tdtsql metric new` does.",
        )
        return None, "", 1
    known = (*FIELDS, "tasks")
    lines: dict[str, int] = {}
    for number, line in enumerate(text[:end].splitlines(), start=1):
        if match := re.match(r"([a-z][a-z ]*):", line):
            lines.setdefault(match[1], number)
            if match[1] not in known:
                problems.add(
                    "E980",
                    "the header has an unknown field",
                    line=number,
                    column=1,
                    value=match[1],
                    advice=f"Known are {', '.join(known)}.",
                )
    for name in (*REQUIRED, "tasks", "metrics"):
        if name not in lines:
            problems.add("E980", f"the header has no '{name}'", line=1, column=1, value=name, advice="Add it.")
    if problems.errors:
        return None, "", 1
    try:
        header, body = parse(text, path, (*REQUIRED, "tasks", "metrics"), known)
    except BrokenDefinition as error:
        said = str(error).removeprefix(f"{path}: ")
        quoted = re.search(r"'([^']+)'", said)
        at = next((n for n, one in enumerate(text.splitlines(), 1) if quoted and quoted[1] in one), 1)
        problems.add("E980", said.partition(". ")[0].rstrip("."), line=at, column=1, advice="Correct the header.")
        return None, "", 1
    for task in re.split(r"[,\s]+", header.fields["tasks"].strip()):
        if task not in TASKS:
            problems.add(
                "E980",
                "unknown task",
                line=lines["tasks"],
                column=1,
                value=task,
                advice=f"Tasks are {', '.join(TASKS)}.",
            )
    if header.is_external:
        problems.add(
            "E980",
            "class external is for views of tdtsql",
            line=lines["class"],
            column=1,
            advice="Write exact or libm.",
        )
    if not body:
        problems.add("E981", "missing SELECT below the header", line=text.count("\n") + 1, column=1, advice="Add it.")
        return None, "", 1
    return header, body, text.count("\n", 0, text.rindex(body)) + 1


# ---- the SELECT


def _relation(header: Header, body: str, begin: int, path: str, name: str, problems: Problems) -> Relation | None:
    try:
        words = tokens(body)
    except BrokenDefinition as error:
        line = int(m[1]) if (m := re.search(r"line (\d+)", str(error))) else 1
        problems.add(
            "E981",
            "the text cannot be read: plain SQL in ASCII, strings in single quotes",
            line=begin + line - 1,
            column=1,
            advice="Correct the line.",
        )
        return None

    def at(token: Token) -> dict:
        start = body.rfind("\n", 0, token.start) + 1
        return {"line": begin + body.count("\n", 0, token.start), "column": token.start - start + 1}

    if not _is_one_select(body, words, begin, at, problems):
        return None
    _check_words(words, at, problems)
    _check_windows(header, words, at, problems)
    try:
        relation = _made(header, body, path, name, begin)
    except BrokenDefinition as error:
        problems.add("E981", str(error).rstrip("."), line=begin, column=1, advice="Correct the call.")
        return None
    _check_inputs(relation, words, at, problems)
    _check_columns(relation, begin, problems)
    return relation


def _is_one_select(body: str, words: list[Token], begin: int, at, problems: Problems) -> bool:
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    for token, after in zip(words, [*words[1:], None], strict=True):
        if token.kind == OTHER and token.text == ";":
            if after is not None:
                problems.add(
                    "E981", "a second statement", **at(after), value=after.text, advice="A metric is one SELECT."
                )
            else:
                problems.add("E981", "a semicolon", **at(token), advice="Leave it out.")
            return False
    if not words or words[0].text not in ("select", "with", "("):
        problems.add(
            "E981",
            "no SELECT",
            line=begin,
            column=1,
            value=words[0].text if words else None,
            advice="A metric is one SELECT.",
        )
        return False
    try:
        [tree] = sqlglot.parse(body, read="duckdb")
        if isinstance(tree, exp.Query):
            return True
        problems.add("E981", "not one SELECT", line=begin, column=1, advice="A metric is one SELECT.")
    except (SqlglotError, ValueError, RecursionError) as error:
        found = (getattr(error, "errors", None) or [{}])[0]
        problems.add(
            "E981",
            "the SELECT does not parse",
            line=begin + (found.get("line") or 1) - 1,
            column=found.get("col") or 1,
            value=found.get("highlight"),
            advice="Correct it.",
        )
    return False


def _check_words(words: list[Token], at, problems: Problems) -> None:
    macros = set(read_macros(sql_root()))
    for token, after, before in zip(words, [*words[1:], None], [None, *words[:-1]], strict=True):
        text, follows = token.text, after.text if after is not None and after.kind == OTHER else ""
        if token.kind == STRING:
            if before is not None and before.kind == OTHER and before.text in ("from", "join"):
                problems.add(
                    "E983", f"'{text}' is a file: a metric reads relations of the store", **at(token), value=text
                )
            continue
        if follows == "(" and re.fullmatch(r"[A-Za-z_]\w*", text) and not (token.kind == OTHER and text in _WORDS):
            name = text.lower()
            if name in macros or name in PURE:
                continue
            if name in _FILES:
                problems.add(
                    "E983",
                    f"{name} reads what is outside: a metric reads relations of the store",
                    **at(token),
                    value=name,
                )
            elif name in _NOT_TWICE:
                problems.add("E984", f"{name}() returns another value each time", **at(token), value=name)
            elif name in _ORDERED:
                instead = (
                    "Write exact_mean(x)."
                    if name in ("avg", "mean")
                    else "Write min, max, or row_number() over an order that ends in the keys."
                )
                problems.add("E985", f"{name} depends on the order of rows", **at(token), value=name, advice=instead)
            elif before is not None and before.text in ("from", "join"):
                problems.add(
                    "E983", f"{name} makes a table: a metric reads relations of the store", **at(token), value=name
                )
            else:
                problems.add(
                    "E984",
                    f"function '{name}' is not known to give the same each time",
                    **at(token),
                    value=name,
                    advice="Use the macros of sql/macro, or functions of the portable subset.",
                )
        elif token.kind == OTHER and text in _BARE and follows != "." and (before is None or before.text != "."):
            problems.add("E984", f"{text} returns another value each time", **at(token), value=text)
        elif token.kind == OTHER and text in _CUT and (before is None or before.text not in (".", "as", ",")):
            problems.add(
                "E985",
                f"{text} selects rows that depend on their order",
                **at(token),
                value=text,
                advice="Write row_number() over an order that ends in the keys, and keep its first rows.",
            )


def _check_windows(header: Header, words: list[Token], at, problems: Problems) -> None:
    """Report ranks whose order does not end in a key of the rows."""
    for place, token in enumerate(words):
        if token.kind != OTHER or token.text not in _RANKS or place + 1 >= len(words) or words[place + 1].text != "(":
            continue
        depth, inside, over = 0, [], False
        for other in words[place + 1 :]:
            depth += {"(": 1, ")": -1}.get(other.text, 0) if other.kind == OTHER else 0
            if over:
                inside.append(other.text)
                if depth == 0:
                    break
            elif depth == 0 and other.text == "over":
                over = True
            elif depth == 0 and other.text != ")":
                break
        ordered = inside[inside.index("order") + 2 :] if "order" in inside else []
        ends = [
            word
            for word in ordered
            if re.fullmatch(r"\w+", word) and word not in ("asc", "desc", "nulls", "first", "last")
        ]
        ties = token.text in ("rank", "dense_rank")
        keys = {column.name for column in header.columns if column.is_key} | {
            "trial_no",
            "block_no",
            "story_no",
            "item_no",
        }
        if not ordered or not ties and not (ends and (ends[-1] in keys or ends[-1].endswith("_no"))):
            problems.add(
                "E985",
                f"{token.text} over an order that does not end in the keys of its rows",
                **at(token),
                value=token.text,
                advice="End order by in a key.",
            )


def _check_inputs(relation: Relation, words: list[Token], at, problems: Problems) -> None:
    named, ctes = set(relation.header.inputs), set()
    for token, after, then in zip(words, [*words[1:], None], [*words[2:], None, None], strict=True):
        if after is not None and after.text == "as" and then is not None and then.text in ("(", "materialized", "not"):
            ctes.add(token.text)
    read = set()
    place = 0
    while place < len(words):
        token = words[place]
        if token.kind == OTHER and token.text in ("from", "join") and place + 1 < len(words):
            first = words[place + 1]
            if place and words[place - 1].text == "distinct" and token.text == "from":  # is distinct from
                place += 1
                continue
            if first.text != "(" and first.kind != STRING:
                name, step = first.text, 1
                while place + step + 2 < len(words) and words[place + step + 1].text == ".":
                    name, step = f"{name}.{words[place + step + 2].text}", step + 2
                follows = words[place + step + 1].text if place + step + 1 < len(words) else ""
                if follows == "(":
                    pass  # a function, by its name
                elif "." not in name:
                    if name not in ctes:
                        problems.add(
                            "E983",
                            f"{name} is not a relation of the store",
                            **at(first),
                            value=name,
                            advice="Write schema.name.",
                        )
                else:
                    read.add(name)
                    _check_relation(name, named, first, at, problems)
                end = words[place + step + 1 :]
                alias = (
                    2
                    if end and end[0].text == "as"
                    else 1
                    if end
                    and end[0].kind == OTHER
                    and re.fullmatch(r"[a-z_]\w*", end[0].text)
                    and end[0].text not in _WORDS | {"group", "where", "qualify", "window"}
                    else 0
                )
                if len(end) > alias and end[alias].text == ",":
                    problems.add(
                        "E982", "a relation after a comma", **at(end[alias]), value=",", advice="Write cross join."
                    )
        place += 1
    for name in sorted(named - read):
        problems.add(
            "E982", f"inputs names {name}, which is not read", line=1, column=1, value=name, advice="Leave it out."
        )


def _check_relation(name: str, named: set[str], token: Token, at, problems: Problems) -> None:
    schema = name.split(".", maxsplit=1)[0]
    if schema not in ("base", "metric", "registry", OWN_SCHEMA):
        problems.add(
            "E983",
            f"{name} is not a relation that a metric may read",
            **at(token),
            value=name,
            advice="Views of base and metric by version, tables of registry and base, and own.NAME__vN.",
        )
    elif name not in named:
        problems.add("E982", f"{name} is read and not named in inputs", **at(token), value=name, advice="Add it.")
    elif schema in ("base", "metric", "registry") and name not in catalog() and name not in tables():
        problems.add(
            "E982", f"{name} does not exist", **at(token), value=name, advice="`tdtsql sql schema` lists relations."
        )


def _check_columns(relation: Relation, begin: int, problems: Problems) -> None:
    import sqlglot
    from sqlglot import exp

    header = relation.header
    [tree] = sqlglot.parse(relation.body, read="duckdb")
    if not isinstance(tree, exp.Query):  # checked above
        return
    outputs, names = tree.named_selects, [column.name for column in header.columns]

    def wrong(message: str, value: object, advice: str) -> None:
        problems.add("E986", message, line=begin, column=1, value=value, advice=advice)

    if outputs != names:
        odd = next((name for name in (*outputs, *names) if (name in outputs) != (name in names)), outputs[0])
        wrong(f"columns are not the select list ({', '.join(outputs)[:150]})", odd, "Write both in one order.")
    keys = [column.name for column in header.columns if column.is_key]
    if list(header.grain) != keys:
        wrong("grain is not the columns marked key, in order", ", ".join(header.grain), f"Write {', '.join(keys)}.")
    allowed = {"run_no", "profile_no", "subset_no", "block_no", "weighting"}
    if not header.grain or header.grain[0] != "run_no":
        wrong("grain does not begin with run_no", ", ".join(header.grain), "Add it.")
    if (
        set(header.grain) - allowed
        or {"block_no", "weighting"} <= set(header.grain)
        or not {"block_no", "weighting"} & set(header.grain)
    ):
        wrong(
            "grain needs block_no or weighting, and otherwise only run_no, profile_no and subset_no",
            ", ".join(header.grain),
            "Correct it.",
        )
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
    from tdtsql.metric.portable import LIBM

    libm = sorted({word for word in re.findall(r"\b([a-z]\w*)\(", relation.body) if word in LIBM})
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

    from tdtsql.metric.parsing import parse as parsed
    from tdtsql.metric.portable import typed

    for total in typed(parsed(relation), _by_schema(types)).find_all(exp.Sum):
        kind = total.this.type.this.value if total.this.type is not None else ""
        if kind in ("DOUBLE", "FLOAT"):
            line = min((node.meta["line"] for node in total.walk() if "line" in node.meta), default=1)
            column = relation.plain.splitlines()[line - 1].find("sum") + 1
            yield relation.line + line - 1, max(column, 1)


def not_portable(relation: Relation, types: Mapping[str, Mapping[str, str]]) -> tuple[Problem, ...]:
    """Return a problem for each construct that only DuckDB computes; ``types`` as in `double_sums`."""
    from tdtsql.metric.build.strict import strict_tree
    from tdtsql.metric.portable import lint_relation, typed

    tree = strict_tree(relation, types.get)
    return tuple(
        Problem(
            "E990",
            str(relation.path),
            finding.line,
            1,
            f"{finding.construct} is computed by DuckDB alone",
            finding.text,
            f"Write {finding.instead}.",
        )
        for finding in lint_relation(relation, tree, typed(tree, _by_schema(types)))
    )


def _by_schema(types: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, dict[str, str]]]:
    schemas: dict[str, dict[str, dict[str, str]]] = {}
    for name, columns in types.items():
        schema, short = name.split(".")
        schemas.setdefault(schema, {})[short] = dict(columns)
    return schemas
