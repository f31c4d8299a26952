"""`tdtsql adjudicate`: candidates for re-annotation."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tdtsql.cli.options import NEW_FILE, StoreOption, rows_option, store_options
from tdtsql.cli.output import counted, print_relation, say
from tdtsql.cli.progress import progress_bar
from tdtsql.engine.quoting import sql_literal
from tdtsql.output_file import write_whole
from tdtsql.report.tables import csv
from tdtsql.task import task_list_sql

if TYPE_CHECKING:
    from tdtsql.engine.duckdb import Engine


@click.command("adjudicate")
@click.option("--condition", help="Only this condition.")
@click.option("-p", "--profile", help="Only this scoring profile.")
@click.option("--topic", help="Only this topic, or block of links.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="How many candidates of each condition; 0 for all.",
)
@click.option(
    "--output",
    "-o",
    "export",
    type=NEW_FILE,
    metavar="FILE.csv",
    help="Also write the judgments as they are, with the candidates as label no, to correct and load as judgments_2.",
)
@click.option("--effect", is_flag=True, help="Instead: every number before and after the second judgment set.")
@store_options
@rows_option
def command(condition, profile, topic, limit, export, effect, opened: StoreOption, format_) -> None:
    """Print false alarms that may be annotation misses, the most probable first.

    Reasons, from the 2004 TDT plan, section 6: (a) most systems make the error,
    (b) the story was not examined, (c) the topic's annotation is incomplete, (d) the
    story and the topic have different languages, (e) a system scores it higher than
    half of its hits. Sorted by the number of reasons, then of systems, then by best rank.

    Load the corrected file with judgments_2 in the bundle, then run --effect.
    """
    given = {"condition_id": condition, "profile_id": profile}
    with opened.current() as store, progress_bar() as progress:
        for column, name in given.items():
            store.check_name(column, name)
        if topic is not None and not effect:
            given["block_id"] = topic
        chosen = [f"{column} = {sql_literal(name)}" for column, name in given.items() if name is not None]
        if effect:
            store.refresh(progress)
            where = " and ".join([*chosen, "true"])
            query = f"select * from report.judgment_effect where {where} order by all"
            print_relation(store.relation(query), format_)
            return
        where = " and ".join([*chosen, f"place <= {limit}" if limit else "true"])
        found = f"select * from report.adjudication where {where} order by condition_id, profile_id, place"
        print_relation(store.relation(found), format_)
        if export is not None:
            _export(store.engine, found, condition, export)


def _export(engine: "Engine", found: str, condition: str | None, path: Path) -> None:
    """Write the first judgment set of the condition's corpus, and the candidates that have no judgment yet."""
    corpora = engine.column(
        f"select distinct corpus_no from registry.condition where task not in ({task_list_sql(decides_on='pair')}) "
        f"and {'true' if condition is None else f'condition_id = {sql_literal(condition)}'}"
    )
    if len(corpora) != 1:
        raise click.UsageError(
            "--output needs the conditions of one corpus, and topics to judge. Name one with --condition."
        )
    judged = engine.rows(f"""
        select topic.topic_id, story.story_id, judgment.label
        from base.judgment as judgment
        join base.topic as topic on topic.corpus_no = judgment.corpus_no and topic.topic_no = judgment.topic_no
        join base.story as story on story.corpus_no = judgment.corpus_no and story.story_no = judgment.story_no
        where judgment.corpus_no = {corpora[0]} and judgment.judgment_set = 1
        order by topic.topic_no, story.story_no""")
    known = {row[:2] for row in judged}
    candidates = dict.fromkeys(engine.rows(f"select block_id, story_id, 'no' from ({found})"))
    added = [row for row in candidates if row[:2] not in known]
    write_whole(path, csv([("topic_id", "story_id", "label"), *judged, *added]).encode())
    say(f"{path}: {counted(len(judged), 'judgment')}, {counted(len(added), 'candidate')} as no.", err=True)
