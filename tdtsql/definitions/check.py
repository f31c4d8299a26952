"""User-defined metrics: one SQL file with the header of a view, checked before any of it runs.

The text may come from an untrusted bundle or archive. It is checked on the engine's parse tree
(`tdtsql.engine.parse_tree`): relations of the store alone, functions of a list of pure ones alone, and nothing whose
value depends on the order of rows. Then it is bound to empty tables, which gives the types.

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
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from pathlib import Path

import duckdb

from tdtsql.definitions.catalogue import PREFIX, Relation, catalog, read_statement, reads_of, sql_root, written
from tdtsql.definitions.contract import grain_of
from tdtsql.definitions.hashes import digest, token_hash
from tdtsql.definitions.header import FIELDS, LIBM, REQUIRED, Header, Published, parse
from tdtsql.definitions.lexer import tokens
from tdtsql.definitions.macro import Macro, read_macros
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import OWN_SCHEMA, Engine
from tdtsql.engine.memory import rows_in_memory
from tdtsql.engine.parse_tree import (
    NOWHERE,
    PURE_FUNCTIONS,
    READING_NODES,
    SYNTAX_FUNCTIONS,
    Node,
    Part,
    Unparsed,
    function_of,
    output_name,
    parse_tree,
    parts,
)
from tdtsql.errors import BrokenDefinition, Problems, escape_control
from tdtsql.task import TASKS, WEIGHTINGS

#: schemas that they may read
READABLE = ("base", "metric", "registry", OWN_SCHEMA)
_NAME = re.compile(r"([a-z][a-z0-9_]{0,62}?)__v([1-9][0-9]{0,3})")
_WHOLE_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
_FIELDS = (*FIELDS, "tasks")
_REQUIRED = (*REQUIRED, "tasks", "metrics")

#: functions outside the list, for what the message says
_ORDERED = frozenset(
    "any_value arbitrary arg_max arg_min argmax argmin array_agg first first_value group_concat histogram last "
    "last_value list listagg max_by min_by mode nth_value string_agg avg mean favg fsum kahan_sum sumkahan stddev "
    "stddev_pop stddev_samp var_pop var_samp variance corr covar_pop covar_samp regr_slope entropy kurtosis skewness "
    "product".split()
)
_NOT_TWICE = frozenset(
    "random rand uuid gen_random_uuid uuidv4 uuidv7 now today current_date current_time current_timestamp localtime "
    "localtimestamp current_localtime current_localtimestamp get_current_timestamp transaction_timestamp nextval "
    "currval setseed version current_user user session_user current_role current_schema current_catalog "
    "current_database current_setting pg_backend_pid txid_current getenv getvariable hash".split()
)
#: of these, those that are written without parentheses
_BARE = _NOT_TWICE - frozenset("random rand uuid now today nextval currval setseed version getenv hash".split())
#: texts that are other times each time
_TIMES = frozenset("now today tomorrow yesterday".split())
#: kinds of expressions of a metric
_EXPRESSIONS = frozenset(
    "BETWEEN CASE CAST COLUMN_REF COMPARISON CONJUNCTION CONSTANT FUNCTION LAMBDA OPERATOR STAR SUBQUERY TYPE "
    "WINDOW".split()
)
_TABLES = frozenset("BASE_TABLE EMPTY EXPRESSION_LIST JOIN SUBQUERY".split())
#: window functions whose value has no order of ties
_RANKS = frozenset(("rank", "dense_rank"))

#: types of keys and counts, of metrics, of weightings
_WHOLE = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL\(\d+,0\)")
_NUMBER = re.compile(rf"{_WHOLE.pattern}|DOUBLE|FLOAT|DECIMAL\(\d+,\d+\)")
_TEXT = re.compile("VARCHAR")


@dataclass(frozen=True)
class OwnMetric:
    """A definition that passed the check."""

    relation: Relation
    text: str
    sha256: str  #: of its words and of what it publishes
    path: str

    @property
    def name(self) -> str:
        return self.relation.alias.removeprefix(f"{OWN_SCHEMA}.")


def own_relation(text: str, name: str) -> Relation:
    """Return the relation of a definition that was checked when it was stored."""
    path = f"{OWN_SCHEMA}.{name}"
    return _relation(*parse(text, path, _REQUIRED, _FIELDS), path, name)


def _relation(header: Header, body: str, line: int, path: str, name: str) -> Relation:
    published = tuple(
        Published(PREFIX + metric.metric, metric.n, metric.best, metric.title, metric.column)
        for metric in header.metrics
    )
    header = replace(header, metrics=published)
    return written(f"{OWN_SCHEMA}.{name}", Path(path), header, body, line, _macros(), path)


@cache
def _macros() -> dict[str, Macro]:
    return read_macros(sql_root())


class Check:
    """The check of one file: what it says, and the problems that are found in it."""

    def __init__(self, text: str, path: str, name: str):
        self.text, self.path, self.name = text, path, name
        self.problems = Problems(path)
        self.metric: OwnMetric | None = None  #: once its text is without a defect
        self._body, self._begin = "", 1
        self._named: dict[int, str] = {}  #: byte at which the text reads a relation -> its name
        self._read()

    def add(self, code: str, message: str, advice: str = "", at: int | None = None, value: object = None) -> None:
        """Report a problem of the SELECT; ``at``: byte of it, by default its beginning."""
        before = self._body.encode()[: at or 0].decode(errors="replace")
        column = len(before) - before.rfind("\n")
        self.problems.add(code, message, advice, self._begin + before.count("\n"), 1 if at is None else column, value)

    def _read(self) -> None:
        match = _NAME.fullmatch(self.name)
        if match is None or re.search(r"__v\d+$", match[1]):
            advice = "Call it NAME__v1.sql: lower-case letters, digits and _, one version from 1 to 9999."
            if _WHOLE_NAME.fullmatch(self.name) and "__v" not in self.name:
                advice = f"Call it {self.name}__v1.sql."
            self.problems.add("E988", "the name has no version or is not valid", advice, 1, 1, self.name)
        header = self._header()
        tree = self._tree() if header is not None else None
        if header is None or tree is None:
            return
        found = list(parts(tree))
        self._check_relations(header, found)
        for part in found:
            self._check_part(part)
        self._check_windows(header, found)
        try:
            relation = _relation(header, self._body, self._begin, self.path, self.name)
        except BrokenDefinition as error:
            self.add("E981", str(error).rstrip("."), "Correct the call.")
            return
        self._check_columns(relation, tree)
        if not self.problems.errors:
            sha256 = digest([token_hash(relation), *header.grain, *header.tasks])
            self.metric = OwnMetric(relation, self.text, sha256, self.path)

    # ---- the header

    def _header(self) -> Header | None:
        def wrong(message: str, advice: str, line: int = 1, column: int = 1, value: object = None) -> None:
            self.problems.add("E980", message, advice, line, column, value)

        if len(self.text) > 1_000_000:
            return wrong("the file has more than a million characters", "Is it a metric?")
        for number, line in enumerate(self.text.split("\n"), 1):
            if (seen := escape_control(line, keep="\t\r")) != line:
                column = next(at for at, (one, other) in enumerate(zip(line, seen, strict=False), 1) if one != other)
                return wrong("the line has a control character", "Remove it.", number, column)
        end = self.text.find("*/")
        if not self.text.lstrip().startswith("/*") or end < 0:
            return wrong("no header", "Start the file with /* title: ... */: `tdtsql metric new` does.")
        lines: dict[str, int] = {}
        for number, line in enumerate(self.text[:end].splitlines(), start=1):
            if match := re.match(r"([a-z][a-z ]*):", line):
                if match[1] in lines:
                    advice = f"The first is in line {lines[match[1]]}. Leave one out."
                    wrong("the header has a field twice", advice, number, value=match[1])
                elif match[1] not in _FIELDS:
                    wrong("the header has an unknown field", f"Known are {', '.join(_FIELDS)}.", number, value=match[1])
                lines.setdefault(match[1], number)
        for name in _REQUIRED:
            if name not in lines:
                wrong(f"the header has no '{name}'", "Add it.", value=name)
        if self.problems.errors and lines.keys() - _FIELDS or set(_REQUIRED) - lines.keys():
            return None
        try:
            header, self._body, self._begin = parse(self.text, self.path, _REQUIRED, _FIELDS)
        except BrokenDefinition as error:
            said = str(error).removeprefix(f"{self.path}: ")
            quoted = re.search(r"'([^']+)'", said)
            at = next((n for n, one in enumerate(self.text.splitlines(), 1) if quoted and quoted[1] in one), 1)
            return wrong(said.partition(". ")[0].rstrip("."), "Correct the header.", at)
        for task in header.tasks:
            if task not in TASKS:
                wrong("unknown task", f"Tasks are {', '.join(TASKS)}.", lines["tasks"], value=task)
        if header.is_external:
            wrong("class external is for views of tdtsql", "Write exact or libm.", lines["class"])
        if not self._body:
            end = self.text.count("\n") + 1
            return self.problems.add("E981", "missing SELECT below the header", "Add it.", end, 1)
        return header

    # ---- the SELECT

    def _tree(self) -> Node | None:
        """Return the parse tree of the text if it is one SELECT, as the engine and our lexer read it alike."""
        try:
            words = tokens(self._body)
        except BrokenDefinition as error:
            found = re.search(r"line (\d+): '?(.)", str(error))
            line = self._body.split("\n")[int(found[1]) - 1 if found else 0]
            column = line.find(found[2]) + 1 if found else 1
            advice = "Correct the line."
            message = "the text cannot be read: plain SQL in ASCII, strings in single quotes"
            number = self._begin + (int(found[1]) if found else 1) - 1
            return self.problems.add("E981", message, advice, number, max(column, 1))
        for place, word in enumerate(words):
            if word.text == ";" and word.kind == "o":
                at = len(self._body[: word.start].encode())
                if place + 1 == len(words):
                    return self.add("E981", "a semicolon", "Leave it out.", at)
                at += words[place + 1].start - word.start
                return self.add("E981", "a second statement", "A metric is one SELECT.", at, words[place + 1].text)
        if not words or words[0].text not in ("select", "with", "("):
            return self.add("E981", "no SELECT", "A metric is one SELECT.", value=words[0].text if words else None)
        if nested := re.search(r"/\*(?:(?!\*/).)+?(/\*)", self._body, re.DOTALL):
            at = len(self._body[: nested.start(1)].encode())
            return self.add("E981", "a comment in a comment, which engines read differently", "Leave it out.", at)
        self._named = {len(self._body[: read.start].encode()): read.relation for read in reads_of(self._body)}
        try:
            return parse_tree(self._body)
        except Unparsed as error:
            return self.add("E981", f"the SELECT does not parse: {error}", "Correct it.", error.at)

    def _check_part(self, part: Part) -> None:
        """Report what a node is or calls that a metric may not have."""
        node, at, _ = part
        kind, function = str(node.get("type")), function_of(node)
        for defect in (_shape(node, kind), _call(function) if function else None):
            if defect is not None:
                code, message, *advice = defect
                inner = node.get("limit") or node.get("offset") or (node.get("sample") and node.get("from_table"))
                where = next((one.at for one in parts(inner) if one.at), at) if isinstance(inner, dict) else at
                self.add(code, message, "".join(advice), where, function or None)

    def _check_relations(self, header: Header, found: list[Part]) -> None:
        """Report relations outside the store, and inputs that are not what is read."""
        named, read = set(header.inputs), set()
        ctes = {entry["key"].lower() for part in found for entry in (part.node.get("cte_map") or {}).get("map", [])}
        for node, at, _ in found:
            if node.get("type") != "BASE_TABLE":
                continue
            name = ".".join(filter(None, (node["catalog_name"], node["schema_name"], node["table_name"])))
            if not node["schema_name"]:
                if name.lower() not in ctes:
                    self.add("E983", f"{name} is not a relation of the store", "Write schema.name.", at, name)
                continue
            read.add(name)
            if name.partition(".")[0] not in READABLE or name.count(".") != 1:
                advice = "Views of base and metric by version, tables of registry and base, and own.NAME__vN."
                self.add("E983", f"{name} is not a relation that a metric may read", advice, at, name)
            elif name not in named:
                self.add("E982", f"{name} is read and not named in inputs", "Add it.", at, name)
            elif self._named.get(at) != name:
                self.add("E983", f"{name} is not after from or join", "Leave parentheses out.", at, name)
            elif not name.startswith(OWN_SCHEMA) and name not in catalog() and name not in tables():
                self.add("E982", f"{name} does not exist", "`tdtsql sql schema` lists relations.", at, name)
        for name in sorted(named - read):
            self.problems.add("E982", f"inputs names {name}, which is not read", "Leave it out.", 1, 1, name)

    def _check_windows(self, header: Header, found: list[Part]) -> None:
        """Report windows over rows that may tie, where the value depends on how ties are ordered."""
        for node, at, select in found:
            if node.get("class") != "WINDOW":
                continue
            function, orders = function_of(node), node["orders"]
            bounds = f"{node['start']} {node['end']}"
            is_ordered = function in (*_RANKS, "row_number", "lead", "lag") or "ROWS" in bounds
            if not is_ordered or (function in _RANKS and orders):
                continue
            lacks = _ties(header, node, select)
            if lacks is not None:
                message = f"{function} over an order that does not end in the keys of its rows{lacks}"
                self.add("E985", message, "End order by in a key.", at, function)

    def _check_columns(self, relation: Relation, tree: Node) -> None:
        header = relation.header
        node = tree["statements"][0]["node"]
        while "select_list" not in node:
            node = node["children"][0]
        outputs = node["select_list"]
        written = [(one.get("literal") or {}).get("text") for one in outputs if one.get("alias") == "weighting"]
        words = tokens(relation.body)
        libm = {one.text.lower() for one, after in pairwise(words) if after.text == "("} & LIBM
        libm |= {"**"} & {one.text for one in words}
        said = {
            "outputs": [output_name(one) for one in outputs],
            "names": [column.name for column in header.columns],
            "keys": [column.name for column in header.columns if column.is_key],
            "grain": list(header.grain),
            "metrics": [[one.metric.removeprefix(PREFIX), one.column, one.n, one.best] for one in header.metrics],
            "weightings": [text for text in written if text is not None],
            "known_weightings": list(WEIGHTINGS),
            "libm": list(libm) if header.is_exact else [],
        }
        for message, value, advice in rows_in_memory(read_statement("verify/own_column"), said):
            self.add("E986", message, advice, value=value)

    # ---- bound to empty tables

    def bind(self, scratch: Engine) -> None:
        """Create the view in a database whose relations are empty tables, and report what does not fit its types."""
        if self.metric is None:
            return
        relation = self.metric.relation
        reserved = scratch.column("select keyword_name from duckdb_keywords() where keyword_category = 'reserved'")
        for name in sorted({column.name for column in relation.header.columns}.intersection(reserved)):
            self.add("E986", "a column has the name of a word of SQL", "Rename it.", value=name)
        try:
            scratch.execute(f"create or replace view {relation.name} as\n{relation.body}")
            columns = scratch.rows(f"select column_name, column_type from (describe {relation.name})")
            plan = json.loads(scratch.value("select json_serialize_plan(?, optimize := false)", [relation.body]))
        except duckdb.Error as error:
            self._not_bound(relation, str(error))
            return
        self._check_types(relation, dict(columns))
        for node, at, _ in parts(plan):
            path = (node.get("qname") or {}).get("path") or [""]
            if path[-1] == "sum" and node["return_type"]["id"] in ("DOUBLE", "FLOAT", "NULL"):
                at = next((part.at for part in parts({"children": node["children"]}) if part.at), at)
                line = relation.body.encode()[:at].count(b"\n")
                column = relation.plain.splitlines()[line].find("sum") + 1
                message = "sum of a double depends on the order of rows"
                self.problems.add("E985", message, "Write exact_sum(x).", relation.line + line, max(column, 1), "sum")

    def _not_bound(self, relation: Relation, text: str) -> None:
        line = int(found[1]) - 1 if (found := re.search(r"LINE (\d+):", text)) else 1
        word = re.search(r'"(\w+)"|name (\w+) does', text)
        missing = re.search(r'column "(\w+)" not found', text)
        near = get_close_matches(missing[1], re.findall(r'"(\w+)"', text[missing.end() :]), 1) if missing else []
        source = relation.plain.splitlines()[max(line, 1) - 1] if line <= relation.plain.count("\n") + 1 else ""
        name = (word[1] or word[2]) if word else ""
        said = text.splitlines()[0].partition(": ")[2].rstrip("!. ") or "the SELECT does not run"
        hint = next((part for part in text.splitlines() if part.startswith(("Did you", "Candidate"))), "Correct it.")
        self.problems.add(
            "E987",
            "the column does not exist" if missing else said,
            f"Did you mean {near[0]}?" if near else hint,
            relation.line + max(line, 1) - 1,
            max(source.find(name), 0) + 1 if name else 1,
            name or None,
        )

    def _check_types(self, relation: Relation, types: Mapping[str, str]) -> None:
        """Report columns that are not those of a number of a run: whole keys and counts, numbers as metrics."""
        header = relation.header
        wanted = {name: (_TEXT if name == "weighting" else _WHOLE, "key") for name in header.grain}
        wanted |= {metric.n: (_WHOLE, "count") for metric in header.metrics}
        wanted |= {metric.column: (_NUMBER, "metric") for metric in header.metrics}
        for name, (allowed, what) in wanted.items():
            if not allowed.fullmatch(types[name]):
                kind = "varchar" if allowed is _TEXT else "bigint" if allowed is _WHOLE else "double"
                self.add(
                    "E986", f"{name} is a {what}, and of type {types[name].lower()}", f"Cast it to {kind}.", value=name
                )


def _shape(node: Node, kind: str) -> tuple[str, ...] | None:
    """Return the code, the message and the advice on a kind of node that a metric may not have."""
    if kind.endswith("_NODE") and kind not in READING_NODES:
        return "E981", f"{kind.removesuffix('_NODE').removesuffix('_QUERY').lower()} writes", "A metric is one SELECT."
    if node.get("key_targets"):
        return "E984", "using key keeps rows that depend on their order"
    if node.get("at_clause"):
        return "E984", "at reads another version of a relation"
    if node.get("sample"):
        return "E985", "sample selects rows that depend on their order"
    if kind == "SELECT_NODE" and _is_implicit(node):
        return "E981", "a relation without a SELECT", "Write select ... from."
    if kind == "RECURSIVE_CTE_NODE" and _is_endless(node):
        return "E985", "recursive has no end: its step is without a condition", "Write where."
    if kind in ("LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER"):
        advice = "Write row_number() over an order that ends in the keys, and keep its first rows."
        return "E985", "limit selects rows that depend on their order", advice
    if kind == "DISTINCT_MODIFIER" and node["distinct_on_targets"]:
        return "E985", "distinct on keeps a row that depends on their order", "Write qualify row_number() = 1."
    if kind == "JOIN" and node["ref_type"] in ("ASOF", "POSITIONAL"):
        return "E985", f"{node['ref_type'].lower()} join picks rows by their order", "Write a join on the keys."
    if kind == "JOIN" and node["is_implicit"]:
        return "E982", "a relation after a comma", "Write cross join."
    if kind == "TABLE_FUNCTION":
        return "E983", f"{function_of(node['function'])} makes a table: a metric reads relations of the store"
    if "sample" in node and kind not in (*_TABLES, "SELECT_NODE"):
        return "E981", f"{'describe' if kind == 'SHOW_REF' else kind.lower()} is not a SELECT", "Write select ... from."
    if (what := node.get("class")) is None:
        return None
    if what == "COLLATE":
        return "E984", "collate orders texts as the locale data of the engine does", "Write lower(x)."
    if what not in _EXPRESSIONS:
        return "E981", f"{what.lower()} is not supported", "A metric is one SELECT without parameters."
    if what == "STAR" and node["columns"]:
        return "E984", "columns() depends on which columns there are", "Write their names."
    if what == "CAST":
        if re.search("timestamptz|timetz|with time zone", node["type_expr"].get("type_name", ""), re.IGNORECASE):
            return "E984", "timestamptz depends on the time zone of the session"
        text = (node["child"].get("literal") or {}).get("text")
        if str(text).strip().lower() in _TIMES:
            return "E984", f"'{text}' is another time each time"
    if what == "COLUMN_REF" and len(node["column_names"]) == 1:
        name = node["column_names"][0].lower()
        if name in _BARE:
            return "E984", f"{name} returns another value each time"
        if name == "rowid":
            return "E985", "rowid depends on the order of rows"
    return None


def _call(function: str) -> tuple[str, ...] | None:
    """Return the code, the message and the advice on a function that a metric may not call."""
    if function in PURE_FUNCTIONS or function in SYNTAX_FUNCTIONS or function in _macros():
        return None
    if re.match("glob|query|sniff_csv|(read|duckdb|pragma)_", function):
        return "E983", f"{function} reads what is outside: a metric reads relations of the store"
    if function in _NOT_TWICE:
        return "E984", f"{function}() returns another value each time"
    if function in _ORDERED:
        instead = "min, max, or row_number() over an order that ends in the keys"
        instead = "exact_mean(x)" if function in ("avg", "mean") else instead
        return "E985", f"{function} depends on the order of rows", f"Write {instead}."
    advice = "Use the macros of sql/macro, or functions of the portable subset."
    return "E984", f"function '{function}' is not known to give the same each time", advice


def _is_implicit(select: Node) -> bool:
    """Return whether a SELECT was not written as one: ``table x``, ``describe x``."""
    [first, *_] = select["select_list"]
    is_written = first.get("query_location") != NOWHERE
    return not is_written and select["from_table"]["type"] not in ("EXPRESSION_LIST", "EMPTY")


def _is_endless(recursive: Node) -> bool:
    step = recursive["right"]
    conditions = step.get("where_clause"), step.get("qualify"), step.get("having")
    return bool(recursive["union_all"]) and not any(conditions) and step["from_table"]["type"] != "JOIN"


def _ties(header: Header, window: Node, select: Node) -> str | None:
    """Return which keys of its rows the order of a window lacks, empty where it has none; None: no two rows tie."""
    if (window["start"], window["end"]) == ("UNBOUNDED_PRECEDING", "UNBOUNDED_FOLLOWING"):
        return None
    keys = {column.name for column in header.columns if column.is_key}
    terms = [_column(order["expression"]) for order in window["orders"]]
    if not terms or not (terms[-1] in keys or str(terms[-1]).endswith("_no")):
        return ""
    table = select.get("from_table") or {}
    grain = grain_of(f"{table.get('schema_name')}.{table.get('table_name')}")
    split = {*terms, *map(_column, window["partitions"]), *_fixed(select.get("where_clause"))}
    lacks = [key for key in grain if key not in split]
    return f": {', '.join(lacks)}" if lacks else None


def _column(node: Node) -> str | None:
    """Return the name of a bare column, and None for any other expression."""
    return node["column_names"][-1] if node.get("class") == "COLUMN_REF" else None


def _fixed(condition: Node | None) -> set[str | None]:
    """Return the columns that have one value in all rows that meet a condition."""
    if condition is None:
        return set()
    if condition["type"] == "CONJUNCTION_AND":
        return set().union(*map(_fixed, condition["children"]))
    if condition["type"] != "COMPARE_EQUAL":
        return set()
    sides = condition["left"], condition["right"]
    return {_column(side) for side in sides} if any(side["class"] == "CONSTANT" for side in sides) else set()
