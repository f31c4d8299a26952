"""The header of a question of the cookbook is a contract, as strict as that of a view: every line of it is held against
the SQL below.
"""

import re

from each import of_each
import click
import sqlglot
from sqlglot import exp

from tdtsql.cli.main import cli
from tdtsql.show.section import NEEDED, TYPES, SavedQuery, questions
from tdtsql.definitions.catalogue import catalog
from tdtsql.definitions.table import tables

QUESTIONS = questions()
#: names in the store that a parameter of this type is one of: such a parameter is called like its type, unless a
#: question needs two
NAMED = {"run", "condition", "profile", "metric", "subset", "weighting", "topic", "story"}
#: names of options that every command has, and those of the command itself
ASK = cli.get_command(click.Context(cli), "ask")
TAKEN = {option.removeprefix("--") for parameter in ASK.params for option in parameter.opts} | {"help"}

each_question = of_each(QUESTIONS.values())


def tree(question: SavedQuery) -> exp.Query:
    return sqlglot.parse_one(question.body, dialect="duckdb")


def test_there_are_enough_of_them():
    assert len(QUESTIONS) >= 30 and {question.about for question in QUESTIONS.values()} == {
        *"topics runs curves trials stories clusters summaries trust".split()
    }


@each_question
def test_the_words(question):
    assert re.fullmatch(r"[a-z][a-z_]{2,23}", question.name)
    assert len(question.title) <= 46, "80 columns hold about, name and title"
    assert question.question.endswith("?") and len(question.question) > len(question.title)
    assert question.fields["order"].endswith(".")


@each_question
def test_it_is_one_select_that_reads(question):
    assert isinstance(tree(question), exp.Select | exp.Union)
    assert not list(tree(question).find_all(exp.Insert, exp.Update, exp.Delete, exp.Create))


@each_question
def test_inputs_are_the_relations_that_it_reads(question):
    read = {
        ".".join(part for part in (table.catalog, table.db, table.name) if part)
        for table in tree(question).find_all(exp.Table)
        if table.db
    }
    known = set(catalog()) | set(tables())

    assert read == set(question.inputs) and len(set(question.inputs)) == len(question.inputs)
    assert not {name.removeprefix("other.") for name in question.inputs} - known
    assert question.reads_another_store == any(name.startswith("other.") for name in question.inputs)


@each_question
def test_columns_are_the_select_list_in_order(question):
    assert [column.name for column in question.columns] == [
        projection.alias_or_name for projection in tree(question).selects
    ]
    assert all(column.text for column in question.columns)
    assert list(question.grain) == [column.name for column in question.columns if column.is_key] and question.grain


@each_question
def test_parameters_are_those_of_the_select(question):
    used = {parameter.name for parameter in tree(question).find_all(exp.Parameter, exp.Placeholder)}
    named = [parameter.name for parameter in question.parameters]

    assert used == {parameter.name for parameter in question.parameters if parameter.type != "store"} and len(
        set(named)
    ) == len(named)
    assert not set(named) & TAKEN
    for parameter in question.parameters:
        assert parameter.type in TYPES and parameter.text
        if parameter.name in NAMED:
            assert parameter.type == parameter.name
        if parameter.default not in (None, "none"):
            assert parameter.default != NEEDED and parameter.value(parameter.default) is not None


@each_question
def test_rows_have_one_order(question):
    """The last things that rows are ordered by are the keys, or what tells rows of equal keys apart: no two rows are in
    an order of chance.
    """
    order = tree(question).args["order"]
    ordered = {column.name for part in order.expressions for column in part.find_all(exp.Column)}
    fixed = {parameter.name for parameter in question.parameters if parameter.is_needed}
    keys = set(question.grain) - {"run_id" if "run" in fixed else "", "condition_id" if "condition" in fixed else ""}

    assert keys <= ordered | ({"block_id", "story_id"} if "place" in ordered else set()), keys - ordered


@each_question
def test_what_it_names_beside_itself_is_there(question):
    relations = {relation.alias for relation in catalog().values()} | set(tables())
    for name in question.fields["see also"].replace("\n", " ").split(","):
        assert name.strip() in QUESTIONS or name.strip() in relations, name
