"""`tdtsql corpus`: add, list, show and drop corpora."""

import click

from tdtsql.cli.filling import store_to_fill
from tdtsql.cli.options import (
    OLD_FILE,
    StoreOption,
    by_option,
    format_option,
    new_store_options,
    store_options,
)
from tdtsql.cli.output import print_problems, print_relation, say


@click.group("corpus")
def command() -> None:
    """Add, list, show and drop corpora."""


@command.command("add")
@click.argument("bundle", type=OLD_FILE)
@by_option
@new_store_options
def add_command(bundle, opened: StoreOption) -> None:
    """Load the corpus and the conditions of BUNDLE, without its runs."""
    from tdtsql.loading.bundle import evaluate_into

    with store_to_fill(opened.path, trace=opened.trace) as store:
        report = evaluate_into(store.engine, bundle, with_runs=False)
        print_problems(report.warnings)
        for owner in report.loaded:
            say(f"{report.replaced.get(owner, f'{owner} is loaded')}.", err=True)


@command.command("list")
@store_options
@format_option
def list_command(opened: StoreOption, format_) -> None:
    """List the corpora of the store."""
    with opened.read() as store:
        print_relation(
            store.relation("""
            select corpus.corpus_id, corpus.n_story,
                (select count(*) from base.topic as topic where topic.corpus_no = corpus.corpus_no) as n_topic,
                (select count(*) from base.judgment as judgment
                where judgment.corpus_no = corpus.corpus_no) as n_judgment,
                (select count(*) from registry.condition as condition
                where condition.corpus_no = corpus.corpus_no) as n_condition
            from registry.corpus as corpus order by corpus.corpus_id"""),
            format_,
        )


_corpus = click.argument("corpus_id", metavar="CORPUS")


@command.command("show")
@_corpus
@store_options
@format_option
def show_command(corpus_id, opened: StoreOption, format_) -> None:
    """Show the topics of CORPUS with how many stories are judged yes, brief and no."""
    with opened.read() as store:
        number = store.corpus_number(corpus_id)
        print_relation(
            store.relation(f"""
            select topic.topic_id, topic.title, topic.languages, topic.is_multilingual, topic.is_complete,
                count(*) filter (judgment.label = 'yes') as n_yes,
                    count(*) filter (judgment.label = 'brief') as n_brief,
                count(*) filter (judgment.label = 'no') as n_no
            from base.topic as topic
            left join base.judgment as judgment on judgment.corpus_no = topic.corpus_no
                and judgment.topic_no = topic.topic_no
                and judgment.judgment_set = 1
            where topic.corpus_no = {number} group by all order by topic.topic_id"""),
            format_,
        )


@command.command("conditions")
@click.argument("corpus_id", metavar="[CORPUS]", required=False)
@store_options
@format_option
def conditions_command(corpus_id, opened: StoreOption, format_) -> None:
    """List the evaluation conditions of CORPUS, or of all, with their parameters.

    Column `plan`: required by the 2004 TDT plan (required), or optional (other).
    """
    with opened.read() as store:
        where = "true"
        if corpus_id is not None:
            where = (
                f"condition_id in (select condition_id from registry.condition where corpus_no = "
                f"{store.corpus_number(corpus_id)})"
            )
        print_relation(store.relation(f"select * from report.condition where {where} order by condition_id"), format_)


@command.command("cost")
@_corpus
@click.option("--topics", is_flag=True, help="The ratios of every topic instead.")
@click.option("--histogram", is_flag=True, help="The histogram of P(rel) over the topics instead.")
@store_options
@format_option
def cost_command(corpus_id, topics, histogram, opened: StoreOption, format_) -> None:
    """Show the effective cost ratio on CORPUS.

    For every condition and profile: topics, stories and targets, the probability of relevance, and how
    many false alarms cost as much as one miss, given the fixed prior.
    """
    kind, order = "corpus_table", "profile_id"
    if topics:
        kind, order = "topic_ratio", "profile_id, block_id"
    elif histogram:
        kind, order = "p_rel_histogram", "profile_id, bin_no"
    with opened.read() as store:
        query = (
            f"select * from report.{kind} where condition_id in (select condition_id from registry.condition where "
            f"corpus_no = {store.corpus_number(corpus_id)}) order by condition_id, {order}"
        )
        print_relation(store.relation(query), format_)


@command.command("drop")
@_corpus
@click.option("--condition", help="Only this condition, with its runs.")
@click.option("--yes", is_flag=True, help="With all of its conditions.")
@by_option
@store_options
def drop_command(corpus_id, condition, yes, opened: StoreOption) -> None:
    """Remove CORPUS, its conditions and their runs; of several conditions only with --condition or --yes."""
    from tdtsql.store.changes import OPTIONS, drop_corpus

    with opened.write() as store:
        dropped = drop_corpus(store.engine, corpus_id, condition, yes=yes, words=OPTIONS)
    what = f"corpus {corpus_id}" if condition is None else f"one condition of corpus {corpus_id}"
    listed = ", ".join(map(str, dropped)) or "no conditions"
    say(f"Dropped {what}: {listed}.", err=True)
