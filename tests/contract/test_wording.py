"""Pages, messages, docstrings and comments use standard terms and British spelling (tests/support/wording.py)."""

import pytest

import wording


@pytest.fixture(scope="module")
def texts():
    return list(wording.texts())


@pytest.mark.parametrize(("kind", "most"), [(wording.VISIBLE, 2), (wording.CODE, 3)])
def test_abolished_words_are_rare(texts, kind, most):
    """So many of 10,000 words at most; python tests/support/wording.py KIND lists the hits."""
    chosen = [text for text in texts if text.kind == kind]
    found = [(text, words) for text in chosen if (words := wording.hits(text))]
    n_word = sum(wording.n_word(text) for text in chosen)

    assert n_word > 10_000
    listed = "\n".join(f"{text.path}:{text.line}: {', '.join(words)}: {text.text.strip()}" for text, words in found)
    assert 10_000 * sum(len(words) for _, words in found) <= most * n_word, listed


@pytest.mark.parametrize(
    ("kind", "path", "line", "found"),
    [
        ("VISIBLE", "tdtsql/x.py", "somebody asked for it", ["somebody", "asked"]),
        ("VISIBLE", "tdtsql/x.py", "there is no such run", ["is no such"]),
        ("VISIBLE", "tdtsql/x.py", "there is no longer a run", []),
        ("VISIBLE", "docs/x.md", "all the same, it hangs on the key", ["all the same", "hangs on"]),
        ("VISIBLE", "sql/query/x.sql", "question:    Which topics are hard?", []),
        ("VISIBLE", "sql/x.sql", "a question of the cookbook", ["question"]),
    ],
)
def test_hits_of_a_line(kind, path, line, found):
    assert wording.hits(wording.Text(kind, path, 1, line)) == found


def test_spelling_is_british(texts):
    american = [
        f"{text.path}:{text.line}: {found[0]}"
        for text in texts
        if (found := wording.AMERICAN.search(text.text)) and found[0] not in ("center", "materialized", "ANALYZE")
    ]

    assert not american, american


def test_an_allowed_phrase_has_a_reason():
    assert all(reason for _, _, reason in wording.ALLOWED)
