"""The header of a view file is a contract: every line of it is held against the SQL below."""

import re
from pathlib import Path

import pytest
from each import of_each
from sqlglot import exp

from tdtsql.definitions.catalogue import VERSION, catalog, sql_root
from tdtsql.definitions.table import tables
from tdtsql.build.lower import parse
from tdtsql.build.lint import function_name
from tdtsql.definitions.header import LIBM

RELATIONS = catalog()
TABLES = tables()

#: columns of report.score that do not name a metric, and other ids of the public interface
METRICS = frozenset((Path(__file__).parent / "metrics.txt").read_text(encoding="utf-8").split())
#: layers that define numbers; report and ledger only join and name
DEFINING = frozenset(("base", "metric"))

each_view = of_each(RELATIONS.values())


@pytest.fixture(scope="module")
def trees():
    """Return name of a relation -> the syntax tree of its SELECT."""
    return {relation.name: parse(relation) for relation in RELATIONS.values()}


@each_view
def test_inputs_are_the_tables_that_the_select_reads(relation, trees):
    tree = trees[relation.name]
    read = {f"{table.db}.{table.name}" for table in tree.find_all(exp.Table) if table.db}
    listed = set(relation.header.inputs)

    assert not read - listed, f"{relation.place}: add to inputs: {', '.join(sorted(read - listed))}"
    assert not listed - read, (
        f"{relation.place}: inputs names what the SELECT does not read: {', '.join(sorted(listed - read))}"
    )
    assert len(relation.header.inputs) == len(listed), f"{relation.place}: inputs names something twice"


@each_view
def test_inputs_exist(relation):
    unknown = [name for name in relation.header.inputs if name not in RELATIONS and name not in TABLES]

    assert not unknown, (
        f"{relation.place}: no file and no table defines {', '.join(unknown)}; views are named with their version"
    )


@each_view
def test_columns_are_the_select_list_in_order(relation, trees):
    selected = [projection.alias_or_name for projection in trees[relation.name].selects]
    described = [column.name for column in relation.header.columns]

    assert described == selected, f"{relation.place}: columns must be, in this order: {', '.join(selected)}"
    silent = [column.name for column in relation.header.columns if not column.text]
    assert not silent, f"{relation.place}: say what these columns mean: {', '.join(silent)}"


@each_view
def test_union_branches_have_the_same_names(relation, trees):
    for union in trees[relation.name].find_all(exp.Union):
        left, right = ([projection.alias_or_name for projection in side.selects] for side in (union.left, union.right))
        assert left == right, (
            f"{relation.place}: the parts of a union all name their columns differently: {left} and {right}"
        )


@each_view
def test_grain_is_the_key_columns(relation):
    keys = [column.name for column in relation.header.columns if column.is_key]

    assert list(relation.header.grain) == keys, (
        f"{relation.place}: grain must list the columns marked 'key', in order: {', '.join(keys)}"
    )


@each_view
def test_published_metrics_are_columns_and_public_ids(relation):
    columns = {column.name for column in relation.header.columns}
    for metric in relation.header.metrics:
        assert metric.keys or metric.metric in METRICS, (
            f"{relation.place}: {metric.metric} is not a metric id of the public interface (metrics.txt)"
        )
        assert metric.column in columns, f"{relation.place}: metric {metric.column} is not a column"
        assert set(metric.keys) <= set(relation.header.grain), f"{relation.place}: {metric.metric}: not of keys"
        assert metric.n in columns, f"{relation.place}: n={metric.n} of metric {metric.metric} is not a column"
        assert metric.best in ("lowest", "highest", "none", "{best}"), (
            f"{relation.place}: best={metric.best}; lowest, highest or none"
        )
    if relation.header.metrics:
        grain = set(relation.header.grain) - {key for metric in relation.header.metrics for key in metric.keys}
        fits = grain in (
            {"run_no", "profile_no", "subset_no", "weighting"},
            {"run_no", "profile_no", "subset_no", "block_no"},
        )
        assert fits, (
            f"{relation.place}: publishes, so its grain is run_no, profile_no, subset_no and weighting or block_no; "
            f"not {', '.join(sorted(grain))}"
        )


@each_view
def test_class_is_libm_where_an_elementary_function_enters(relation, trees):
    """sqrt is exact by IEEE 754. ``exact: why`` says that only counts are read of a libm view."""
    own = sorted({function_name(node) for node in trees[relation.name].find_all(exp.Func)} & LIBM)
    read = [name for name in relation.header.inputs if name in RELATIONS and not RELATIONS[name].header.is_exact]
    words = relation.header.fields["class"].split()

    if own:
        assert not relation.header.is_exact, f"{relation.place}: uses {', '.join(own)}, so class is libm"
    elif read and relation.header.is_exact:
        assert len(words) > 3, (
            f"{relation.place}: reads {', '.join(read)} (libm): class is libm, or 'exact' followed by the reason"
        )
    elif not read:
        assert relation.header.is_exact, (
            f"{relation.place}: class says libm, but no elementary function enters; write exact"
        )


@each_view
def test_source_says_where(relation):
    """A document with its section, figure or equation; or that the definition is our own, and why."""
    assert relation.schema not in DEFINING or len(relation.header.fields["source"].split()) >= 3, (
        f"{relation.place}: source must name the document and the place in it"
    )


def test_names_end_in_a_version():
    for relation in RELATIONS.values():
        assert relation.schema not in DEFINING or VERSION.search(relation.name), (
            f"{relation.place}: the file name must end in __v1, __v2, ..."
        )


def test_two_versions_say_what_differs():
    for relation in RELATIONS.values():
        if relation.version > 1:
            older = f"{relation.alias}__v{relation.version - 1}"
            assert older in RELATIONS, f"{relation.place}: {older} is gone; a version that was shown stays"


def test_relations_are_named_where_redirection_finds_them():
    """The scorer puts temporary tables in place of inputs by their text: ``from x.y`` or ``join x.y``."""
    for relation in RELATIONS.values():
        body = re.sub(r"--[^\n]*|'(?:[^']|'')*'", " ", relation.body)
        for name in re.findall(r"\b(?:registry|staging|base|metric|report|ledger)\.\w+", body):
            total = len(re.findall(rf"{re.escape(name)}\b", body))
            good = len(re.findall(rf"\b(?:from|join)\s+{re.escape(name)}\b", body))
            assert total == good, (
                f"{relation.place}: write 'from {name}' or 'join {name}' everywhere ({total - good} of {total} are not)"
            )


def test_files_are_short_enough_to_read():
    for relation in RELATIONS.values():
        lines = relation.path.read_text(encoding="utf-8").count("\n")
        assert lines <= 400, f"{relation.place}: {lines} lines; split it into views of one idea each"


def test_lines_are_short_and_clean():
    for path in sorted(sql_root().glob("**/*.sql")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            assert "\t" not in line and line == line.rstrip(), (
                f"{path.name}:{number}: tab or blank at the end of the line"
            )
