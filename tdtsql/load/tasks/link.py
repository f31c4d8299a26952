"""Link detection: the pairs of stories to decide on, the key, and the decisions of systems.

A pair has one decision; it may count in several blocks, so decisions are stored
under block 0 and the number of the pair. Ids match as written, or else by the
docno after the colon (indexes write FILE:DOCNO, systems may write DOCNO).

Code   Meaning
E850   the key has no label for a pair of the index
E851   the key has a pair that no index has
E852   a pair of a story that the corpus does not have
W852   a docno with the name of another source file
E853   neither index, nor key, nor trials
W854   pairs out of the plan's order
W855   pairs with stories of excluded source files, which are not scored
E855   a decision on a pair that is not a trial
E856   a pair without a decision
W857   output in an order other than the index
E858   a pair with two decisions
E859   the deferral period is not the condition's
"""

from tdtsql.engine.duckdb import Engine
from tdtsql.files.lines import path_of
from tdtsql.load.condition import Condition
from tdtsql.load.corpus import Corpus
from tdtsql.load.decisions import Decisions, official_format, tidy_format
from tdtsql.load.outputs import read_link_keys
from tdtsql.load.plan import IF_SOUND, ConditionSpec
from tdtsql.load.topics import chosen_topics

# ---- conditions

_STEPS = (
    "link/pairs",
    "decision/pairs",
    *("link/E851", "link/E872-key", "link/E850", "decision/W852"),
    *("link/E852", "link/E872-story", "link/W852"),
    IF_SOUND,
    *("link/W854", "link/W855", "link/blocks", "topics/block", "link/condition", "condition/subsets", "link/E871"),
)
_NO_PAIR = "select 0 as file, 0 as line, '' as id_1, '' as id_2, '' as answer, '' as block limit 0"


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Return the pairs of a condition, of its indexes and lists or else of its key, and their answers."""
    inputs, spec, paths, pairs = (
        condition.inputs,
        condition.spec,
        list[str](),
        [f"(select * exclude (answer, block) from ({_NO_PAIR}))"],
    )
    for rows in (condition.indexes.pairs, condition.trials):
        if rows is not None:
            pairs.append(f"select file + {len(paths)}, line, story_id_1, story_id_2 from {rows.table}")
            paths += rows.paths
    has_index, has_key, answers = bool(paths), "key" in spec, f"({_NO_PAIR})"
    if has_key:
        key = read_link_keys(engine, inputs, inputs.resolve(spec["key"], "link key"))
        columns = "id_1, id_2, answer, block"
        staged = f"select {path_of(key.paths)}, line, {columns} from {key.keep(inputs)}"
        inputs.staged.append(("staging.link_key", staged))
        answers = f"(select file + {len(paths)} as file, line, {columns} from {key.table})"
        paths += key.paths
        if not has_index:
            pairs.append(f"select file, line, id_1, id_2 from {answers}")
    elif not has_index and not inputs.has_errors:
        said = "a link condition needs pairs of stories"
        inputs.add("E853", str(spec.get("id")), said, "Give the condition an index, trials or a key.")
    parameters = {
        "corpus": corpus.corpus_no,
        "paths": paths,
        "has_index": has_index,
        "is_ordered": bool(condition.indexes),
        "topics": [] if has_key else sorted(chosen_topics(condition, corpus.topics)),
    }
    said = f"(select file, line, null as run_id, id_1 as story_id_1, id_2 as story_id_2, answer, block from {answers})"
    tables = {"link_row": f"({' union all '.join(pairs)})", "decision_row": said}
    return ConditionSpec(
        steps=_STEPS,
        inputs=inputs,
        paths=[*paths, f"condition '{spec['id']}'"],
        parameters=parameters | {"has_key": has_key},
        tables=tables,
    )


# ---- runs


#: how rows of pairs get their numbers
_DECISIONS = Decisions("pairs", "pair", checks=[f"decision/{code}" for code in ("E858", "W852", "E856", "W857")])

FORMATS = {
    "tdt": official_format("link", _DECISIONS, "E840", deferral_code="E859"),
    "tidy": tidy_format("link", _DECISIONS),
}
