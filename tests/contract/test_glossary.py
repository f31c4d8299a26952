"""docs/glossary.md explains the words that are ours: keys of views, reasons, weightings; and no word that is gone."""

import re

import pytest
from each import of_each
from sqlglot import exp

from tdtsql.definitions.catalogue import catalog
from tdtsql.definitions.table import tables
from tdtsql.build.lower import parse
from places import ROOT

TEXT = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
#: - **term, term** [the field's word] `column`, `column`: sentences
ENTRY = re.compile(r"- \*\*(?P<terms>[^*]+)\*\* \[(?P<field>[^\]]+)\](?P<columns>(?:,? `\w+`)*): (?P<text>.+)")
ENTRIES = [" ".join(part.split()) for part in re.findall(r"^- (?:.|\n(?!- |\n|#))+", TEXT, re.MULTILINE)]


def columns_named() -> set[str]:
    return {
        column
        for entry in ENTRIES
        if (match := ENTRY.fullmatch(entry))
        for column in re.findall(r"\w+", match["columns"])
    }


def terms() -> set[str]:
    return {
        term.strip() for entry in ENTRIES if (match := ENTRY.fullmatch(entry)) for term in match["terms"].split(",")
    }


def literals(name: str) -> set[str]:
    """Return the words that views give as a column: of a CASE what it yields, not what it compares."""
    found = set()
    for relation in catalog().values():
        for alias in parse(relation).find_all(exp.Alias):
            if alias.alias == name:
                cases = list(alias.this.find_all(exp.Case))
                made = [
                    value
                    for case in cases
                    for value in [*(branch.args["true"] for branch in case.args["ifs"]), case.args.get("default")]
                ]
                found |= {
                    value.this for value in [alias.this, *made] if isinstance(value, exp.Literal) and value.is_string
                }
    return found


@of_each(ENTRIES)
def test_an_entry_has_a_term_the_field_s_word_and_a_sentence(entry):
    match = ENTRY.fullmatch(entry)

    assert match, f"write '- **term** [the field's word, or ours] `column`: One or two sentences.', not {entry[:60]!r}"
    assert match["text"].endswith(".")


def test_every_key_of_a_view_is_explained():
    keys = {column.name for relation in catalog().values() for column in relation.header.columns if column.is_key}

    assert len(keys) > 30
    assert not keys - columns_named(), (
        f"docs/glossary.md: name these key columns behind the term that explains them: "
        f"{', '.join(sorted(keys - columns_named()))}"
    )


@pytest.mark.parametrize("name", ["exclusion_reason", "weighting"])
@pytest.mark.full
def test_every_reason_and_weighting_is_explained(name):
    words = literals(name)
    explained = (
        terms()
        if name == "exclusion_reason"
        else set(re.findall(r"`(\w+)`", next(entry for entry in ENTRIES if entry.startswith("- **weighting**"))))
    )

    assert len(words) >= 4
    assert not words - explained, (
        f"docs/glossary.md: explain these values of {name}: {', '.join(sorted(words - explained))}"
    )


def test_every_column_named_exists():
    known = {column.name for relation in catalog().values() for column in relation.header.columns} | {
        column for table in tables().values() for column in table.columns
    }

    assert not columns_named() - known, (
        f"docs/glossary.md names columns that no view or table has: {', '.join(sorted(columns_named() - known))}"
    )


def test_no_term_is_explained_twice():
    every = [term.strip() for entry in ENTRIES for term in ENTRY.fullmatch(entry)["terms"].split(",")]

    assert sorted(every) == sorted(set(every))
