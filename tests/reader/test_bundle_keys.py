"""Keys of a bundle; wrong ones are in fixtures/malformed/texts.toml."""

from tdtsql.errors import Problems
from tdtsql.load.settings import read_bundle

BUNDLE = """[corpus]
id = "k"
[[condition]]
id = "c"
task = "tracking"
periods = 20
profile = "tdt2004"
[[run]]
id = "r"
condition = "c"
files = "run.csv"
"""


def test_one_value_is_a_list_of_one():
    problems = Problems("b.toml")

    bundle = read_bundle(BUNDLE.encode(), problems)

    assert not problems.found
    assert (bundle.conditions[0]["periods"], bundle.conditions[0]["profile"]) == ([20], ["tdt2004"])
    assert bundle.runs[0]["files"] == ["run.csv"]
