"""`tdtsql adjudicate`: candidates for re-annotation."""

import csv
import io
from pathlib import Path

import click

from tdtsql.cli.options import StoreOption, rows_option, signature_option, store_options
from tdtsql.cli.output import counted, print_rows, say
from tdtsql.cli.progress import progress_bar
from tdtsql.engine.quoting import sql_literal
from tdtsql.output_file import write_whole
from tdtsql.task import task_list_sql


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
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.csv",
    help="Also write the judgments as they are, with the candidates as label no, to correct and load as judgments_2.",
)
@click.option("--effect", is_flag=True, help="Instead: every number before and after the second judgment set.")
@store_options
@signature_option
@rows_option
def command(
    condition: str | None,
    profile: str | None,
    topic: str | None,
    limit: int,
    export: Path | None,
    effect: bool,
    opened: StoreOption,
    format_: str,
) -> None:
    """Print false alarms that may be annotation misses, the most probable first.

    Reasons, from the 2004 TDT plan, section 6: (a) most systems make the error,
    (b) the story was not examined, (c) the topic's annotation is incomplete, (d) the
    story and the topic have different languages, (e) a system scores it higher than
    half of its hits. Sorted by the number of reasons, then of systems, then by best rank.

    Load the corrected file with judgments_2 in the bundle, then run --effect.
    """
    from tdtsql.report.signing import with_signatures

    with opened.current() as store, progress_bar() as progress:
        for column, name in (("condition_id", condition), ("profile_id", profile)):
            store.check_name(column, name)
        chosen = [
            f"{column} = {sql_literal(name)}"
            for column, name in (("condition_id", condition), ("profile_id", profile))
            if name is not None
        ]
        if effect:
            store.refresh(progress)
            where = " and ".join([*chosen, "true"])
            table = store.relation(f"select * from report.judgment_effect where {where} order by all")
            print_rows(*with_signatures(store.engine, "judgment_effect", table.columns, table.fetchall()), format_)
            return
        if topic is not None:
            chosen.append(f"block_id = {sql_literal(topic)}")
        store.engine.download_decisions()
        where = " and ".join([*chosen, f"place <= {limit}" if limit else "true"])
        found = f"select * from report.adjudication where {where} order by condition_id, profile_id, place"
        table = store.relation(found)
        print_rows(*with_signatures(store.engine, "adjudication", table.columns, table.fetchall()), format_)
        if export is not None:
            _export(store, found, condition, export)


def _export(store, found: str, condition: str | None, path: Path) -> None:
    """Write the first judgment set of the condition's corpus, and the candidates that have no judgment yet."""
    corpora = [
        row[0]
        for row in store.relation(
            f"select distinct corpus_no from registry.condition where task not in ({task_list_sql(decides_on='pair')}) "
            f"and {'true' if condition is None else f'condition_id = {sql_literal(condition)}'}"
        ).fetchall()
    ]
    if len(corpora) != 1:
        raise click.UsageError(
            "--export needs the conditions of one corpus, and topics to judge. Name one with --condition."
        )
    judged = store.relation(f"""
        select topic.topic_id, story.story_id, judgment.label
        from base.judgment as judgment
        join base.topic as topic on topic.corpus_no = judgment.corpus_no and topic.topic_no = judgment.topic_no
        join base.story as story on story.corpus_no = judgment.corpus_no and story.story_no = judgment.story_no
        where judgment.corpus_no = {corpora[0]} and judgment.judgment_set = 1
        order by topic.topic_no, story.story_no""").fetchall()
    known = {row[:2] for row in judged}
    candidates = dict.fromkeys(
        (row[0], row[1]) for row in store.relation(f"select block_id, story_id from ({found})").fetchall()
    )
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["topic_id", "story_id", "label"])
    writer.writerows(judged)
    writer.writerows((topic, story, "no") for topic, story in candidates if (topic, story) not in known)
    write_whole(path, stream.getvalue().encode())
    say(
        f"{path}: {counted(len(judged), 'judgment')}, "
        f"{counted(len([pair for pair in candidates if pair not in known]), 'candidate')} as no.",
        err=True,
    )
