"""Exports of several machines in one Spark session: base tables and metric views under their names.

Each machine loads into its store, which `tdtsql export` writes as Parquet. A query in Spark reads all folders
as one: the numbers of corpora, conditions, profiles and runs are those of the export, shifted by folder number * 2^40.
"""

import os
from collections import Counter, defaultdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tdtsql.errors import InvalidSetting, MissingPackage, NotAStore, WrongCall
from tdtsql.build.lower import columns_of, lowered_tree
from tdtsql.definitions.catalogue import catalog, closure, installed_key
from tdtsql.definitions.table import Table, tables
from tdtsql.build.dialect import dialect
from tdtsql.build.render import render_table, render_tree
from tdtsql.definitions.create import alias_texts
from tdtsql.version import __version__

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: columns that number things of a whole store; all other numbers count within one of these
KEYS = frozenset(("corpus_no", "condition_no", "base_condition_no", "profile_no", "run_no"))
#: what the keys of each further folder are shifted by
SHIFT = 2**40
#: Spark's database of the files as they are, one table for each table and folder, and of shared steps
FILES = "tdtsql_export"
#: tables that a view reads, each as often as it is read; Spark plans all of them for each query, so that a step beyond
#: this which several views read is computed once, when it is registered
LARGEST_PLAN = 40
#: a rule of Spark's optimiser that breaks plans in which one relation is read twice (Spark 4.3:
#: PLAN_VALIDATION_FAILED_RULE_IN_BATCH), and the setting that leaves it out; it changes no result
FAULTY = "org.apache.spark.sql.catalyst.optimizer.RemoveRedundantAliases"
EXCLUDED = "spark.sql.optimizer.excludedRules"


def register(session: "SparkSession", *folders: str | os.PathLike[str]) -> dict[str, str]:
    """Make the base tables and metric views of exported stores queryable in a Spark session, under the names that they
    have in a store: ``metric.detection_rate``, ``registry.run``, ``base.decision``.

    Some twenty steps that many views share (`LARGEST_PLAN`) are computed here and stored as tables of the session, in
    which one rule of the optimiser is left out (`FAULTY`).

    Args:
        session: a session of Spark 4, which keeps the relations in its catalog.
        folders: what `tdtsql export` wrote, as paths that driver and executors see, or in storage that Spark reads
            (``s3a://bucket/export``). Keys of folder k, from 0, are shifted by k * 2^40.

    Returns:
        view -> reason, of those that are left out: computed outside SQL, not portable, or read one that is.

    Raises:
        MissingPackage: pyspark is not installed.
        WrongCall: the session or the folders are missing.
        NotAStore: a folder does not exist, holds no export, or one of another release.
        InvalidSetting: two folders have a condition id in common, or were written with different definitions.
    """
    if find_spec("pyspark") is None:
        raise MissingPackage("pyspark is not installed. Run `pip install 'tdtsql[spark]'`; it needs Java 17 or later.")
    if not hasattr(session, "sql") or not folders:
        raise WrongCall("register takes a SparkSession and the folders of exports: register(session, 'a', 'b').")
    paths = [str(folder) if "://" in str(folder) else str(Path(folder).absolute()) for folder in folders]
    _check(session, paths)
    excluded = session.conf.get(EXCLUDED, "") or ""
    if FAULTY not in excluded:
        session.conf.set(EXCLUDED, ",".join(filter(None, (excluded, FAULTY))))
    exported = {name: table for name, table in tables().items() if name.split(".")[0] in ("registry", "base")}
    for schema in ("registry", "base", "metric"):
        session.sql(f"create database if not exists {schema}")
    session.sql(f"drop database if exists {FILES} cascade")
    session.sql(f"create database {FILES}")
    for table in exported.values():
        _register_table(session, table, paths)
    left_out: dict[str, str] = {}
    relations = {name: one for name, one in catalog().items() if one.schema in ("base", "metric")}
    for name in closure(catalog(), list(relations)):
        if reason := _reason(name, left_out):
            left_out[name] = reason
    made = {name: one for name, one in relations.items() if name not in left_out}
    n_reader = Counter(read.relation for relation in made.values() for read in relation.reads)
    columns, size = columns_of(catalog(), tables()), dict.fromkeys(exported, len(paths))
    for name, relation in made.items():
        text = render_tree(relation, lowered_tree(relation, columns), dialect("spark"))
        size[name] = 1 + sum(size[read.relation] for read in relation.reads)
        if size[name] > LARGEST_PLAN and n_reader[name] > 1:
            step = f"{FILES}.{name.replace('.', '_')}"
            session.sql(f"create table {step} using parquet as {text}")
            text, size[name] = f"select * from {step}", 1
        session.sql(f"create or replace view {name} as {text}")
    for alias, text in alias_texts(made).items():
        session.sql(f"create or replace view {alias} as {text}")
    return {name: reason for name, reason in left_out.items() if name in relations}


def _reason(name: str, left_out: dict[str, str]) -> str:
    """Return why a relation cannot be a view in Spark; empty if it can. Those that it reads are decided already."""
    header = catalog()[name].header
    if header.is_external:
        return f"computed outside SQL: {header.reason}"
    if header.only_duckdb:
        return f"not portable: {header.only_duckdb}"
    if name.split(".", maxsplit=1)[0] not in ("base", "metric"):
        return "not exported"
    return next((f"reads {read}" for read in header.inputs if read in left_out), "")


def _check(session: "SparkSession", paths: list[str]) -> None:
    """Refuse folders that are no exports of this release, or cannot be read as one store."""
    made: dict[str, dict[str, str]] = {}
    conditions: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        try:
            made[path] = dict(
                session.read.parquet(f"{path}/registry/made_with.parquet").select("item", "value").collect()
            )
            ids = session.read.parquet(f"{path}/registry/condition.parquet").select("condition_id").collect()
        except Exception as error:  # what Spark and the file system call it
            if not type(error).__module__.startswith(("pyspark", "py4j")):
                raise
            raise NotAStore(
                f"{path}: no export, or not to be read by Spark ({str(error).splitlines()[0][:200]}). "
                f"`tdtsql export {path}` writes one."
            ) from None
        for [condition] in ids:
            conditions[condition].append(path)
    first = paths[0]
    for path, items in made.items():
        if items["definitions"] != made[first]["definitions"]:
            raise InvalidSetting(
                f"{first} and {path} were written with different definitions (tdtsql {made[first]['tdtsql']} and "
                f"{items['tdtsql']}). Export both stores with tdtsql {__version__}."
            )
    if made[first]["definitions"] != installed_key():
        raise NotAStore(
            f"{first}: exported by tdtsql {made[first]['tdtsql']}, with other definitions than those of tdtsql "
            f"{__version__}, which is installed. Export the store again with this one."
        )
    shared = {condition: where for condition, where in conditions.items() if len(where) > 1}
    if shared:
        condition, where = min(shared.items())
        more = f" ({len(shared)} conditions in all)" if len(shared) > 1 else ""
        raise InvalidSetting(
            f"condition '{condition}' is in {' and in '.join(where)}{more}, and a query could not tell them apart. "
            "Rename it in one of the bundles, or export the runs of a condition from one store."
        )


def _register_table(session: "SparkSession", table: Table, paths: list[str]) -> None:
    """Make a table the rows of all folders. Tables without keys say the same of each store once."""
    parts = []
    schema, short = table.name.split(".")
    for number, path in enumerate(paths):
        files = f"{FILES}.{schema}_{short}_{number}"
        of_runs = schema == "base" and "run_no" in table.columns
        place = f"{path}/{schema}/{short}{'' if of_runs else '.parquet'}".replace("\\", "\\\\").replace("'", "\\'")
        definition = render_table(table, dialect("spark"), files).rstrip(";")
        session.sql(f"{definition} using parquet options (path '{place}', recursiveFileLookup 'true')")
        columns = [
            f"cast({column} as bigint) + {number * SHIFT} as {column}" if column in KEYS else f"`{column}`"
            for column in table.columns
        ]
        parts.append(f"select {', '.join(columns)} from {files}")
    union = " union all " if KEYS & table.columns.keys() else " union "
    session.sql(f"create or replace view {table.name} as {union.join(parts)}")
