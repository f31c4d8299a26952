"""In a notebook: score tables, and a bar for what takes long, by a real kernel of Jupyter."""

import nbformat
import pyarrow
import pytest
from nbclient import NotebookClient

import tdtsql
from places import BAGGA


@pytest.fixture(scope="module")
def outputs():
    """The outputs of three cells: a store is made while bars have no patience, scores, scores of one run and metric."""
    cells = [
        "import tdtsql, tdtsql.progress\ntdtsql.progress.PATIENCE = tdtsql.progress.STEP = 0\n"
        f"store = tdtsql.evaluate({str(BAGGA)!r})",
        "store.score()",
        "store.score(run='R5', metric='b3_f1', weighting='topic')",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    drawn = []

    class Client(NotebookClient):
        def process_message(self, message, cell, cell_index):
            if message["header"]["msg_type"] in ("display_data", "update_display_data"):
                drawn.append(message["content"]["data"]["text/html"])
            return super().process_message(message, cell, cell_index)

    Client(notebook, timeout=120, kernel_name="python3").execute()
    return drawn, [cell["outputs"] for cell in notebook.cells]


@pytest.mark.full
def test_a_bar_grows_and_is_gone_in_the_end(outputs):
    drawn, cells = outputs

    assert len(drawn) > 3 and all(text.startswith('<progress value="') for text in drawn[:-1]) and drawn[-1] == ""
    assert [entry["data"]["text/html"] for entry in cells[0]] == [
        ""
    ]  # one place, which the last state of the bar has emptied


@pytest.mark.full
def test_scores_are_a_table(outputs):
    _, (_, [every], [one]) = outputs

    assert every["data"]["text/html"].count("<tr>") == 61
    assert "The first 60 of " in every["data"]["text/html"]
    assert one["data"]["text/html"].strip() == (
        "<table><caption>subset all; metric b3_f1; weighting topic; condition small; profile tdt2004.</caption>"
        "<thead><tr><th>run</th><th>value</th><th>n</th></tr></thead><tbody><tr><td>R5</td><td>0.9437</td><td>3</td>"
        "</tr></tbody></table>"
    )


@pytest.mark.full
def test_a_table_of_scores_is_a_relation_and_a_table_of_a_paper():
    with tdtsql.evaluate(BAGGA) as store:
        table = store.score(metric="b3_f1")

        assert (
            table.columns[0] == "run_id"
            and len(table) == len(table.fetchall()) == table.df().shape[0] == pyarrow.table(table).num_rows == 12
        )
        assert table.to_markdown().splitlines()[:3:2] == [
            "| run | weighting | condition | value | n |",
            "| R1 | story | large | 0.9130 | 500 |",
        ]
        assert table.to_markdown().endswith("\nsubset all; metric b3_f1; profile tdt2004.\n")
        assert "\\toprule" in table.to_latex() and "signature" not in table.to_latex().lower()
        assert list(store.score(run="R5", metric="b3_f1").pl()["run_id"]) == ["R5", "R5"]
