"""Bundles that nobody would write: what is wrong is said, never a traceback."""

from pathlib import Path

from hypothesis import HealthCheck, given
from lanes import examples
from hypothesis import strategies as st

import tdtsql
from tdtsql.errors import Problems, TdtsqlError
from tdtsql.load.settings import RUN, TOP, CORPUS, keys_of, read_bundle, run_options
from tdtsql.load.bundle import evaluate_into
from places import MALFORMED

KEYS = sorted(
    {*keys_of("condition_keys", None), *CORPUS, *RUN, *run_options(), *TOP, "base", "p_target", "judged_no", "mine"}
)

VALUES = st.recursive(
    st.one_of(
        st.just("true"),
        st.just("nan"),
        st.just("-inf"),
        st.just("2004-01-05"),
        st.integers(-3, 10**20).map(str),
        st.floats().map(repr),
        st.sampled_from(
            [
                "''",
                "'tracking'",
                "'c'",
                "'s'",
                "'tdt'",
                "'tidy'",
                "'../base/run.csv'",
                "'../base/*'",
                "'**'",
                "'['",
                "'/etc/passwd'",
                "'tdt2004'",
                "'mine'",
                "'.'",
                "''''\n'''",
                '"\\u0000"',
                "['yes']",
                "['../base/run.csv']",
                "['../base/ndx/trk_81001.ndx']",
            ]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        st.lists(inner, max_size=2).map(
            lambda parts: "{" + ", ".join(f"k{n} = {part}" for n, part in enumerate(parts)) + "}"
        ),
    ),
    max_leaves=4,
)
LINES = st.one_of(
    st.sampled_from(
        ["[corpus]", "[[condition]]", "[[run]]", "[condition]", "[profile.mine]", "[profile]", "[[corpus]]"]
    ),
    st.tuples(st.sampled_from(KEYS), VALUES).map(" = ".join),
)

FOLDER = MALFORMED / "bundle" / "base_tdt"


@given(
    st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")),
        st.lists(LINES, max_size=12).map(lambda lines: "\n".join(lines).encode()),
    )
)
@examples(default=100, full=1000)
def test_any_bytes_are_a_bundle_or_have_problems(data):
    problems = Problems("bundle.toml")

    read_bundle(data, problems)

    for problem in problems.found:
        assert problem.code.startswith("E70") and str(problem)


def test_deep_nesting_is_said():
    problems = Problems("bundle.toml")

    read_bundle(b"a = " + b"[" * 100_000, problems)

    assert [problem.code for problem in problems.found] == ["E700"]


@given(st.sampled_from(["corpus", "condition", "run"]), st.sampled_from(KEYS), VALUES)
@examples(default=6, full=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_good_bundle_with_one_odd_value_loads_or_says_why(section, key, value):
    lines = (FOLDER / "bundle.toml").read_text(encoding="utf-8").splitlines()
    place = next(number for number, line in enumerate(lines) if line.strip("[]") == section) + 1
    end = next((number for number in range(place, len(lines)) if lines[number].startswith("[")), len(lines))
    kept = [line for line in lines[place:end] if not line.startswith(f"{key} =")]
    path = FOLDER / "odd.toml"
    text = "\n".join([*lines[:place], f"{key} = {value}", *kept, *lines[end:]])

    read = Path.read_bytes
    Path.read_bytes = lambda self: text.encode() if self == path else read(self)
    try:
        with tdtsql.connect(":memory:") as store:
            evaluate_into(store.engine, path, score=False)
    except TdtsqlError as error:
        assert str(error)
    finally:
        Path.read_bytes = read
