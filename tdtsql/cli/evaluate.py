"""`tdtsql evaluate`: the main job."""

from pathlib import Path

import click

from tdtsql.cli.options import format_option, store_options

#: what the summary shows of each task: (weighting, metrics)
SUMMARY = {
    "tracking": ("topic", ("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm", "b3_f1")),
    "new_event": ("topic", ("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm")),
    "link": ("topic", ("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm")),
    "hierarchy": ("topic", ("min_cost", "c_det_norm", "c_travel_norm")),
    "filtering": ("topic", ("precision", "recall", "f_beta", "t11su", "c_det_norm", "c_det_prel_norm", "n_empty_topic", "n_empty_retrieved")),
    "summarization": ("topic", ("neg", "nelg", "comprehensiveness", "latency_comprehensiveness", "h")),
    "value_tracking": ("topic", ("ee",)),
}


@click.command("evaluate")
@click.argument("bundle", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Read and report every problem; store nothing.")
@click.option("--report", "page", type=click.Path(dir_okay=False, path_type=Path), metavar="OUT.html", help="Write the HTML report as well.")
@store_options
@format_option
def command(bundle: Path, check: bool, page: Path | None, db: str, trace: bool, format_: str) -> None:
    """Load everything BUNDLE names, print the scores.

    Problems are printed on stderr. With an error in any file nothing is stored and the
    exit code is 1. As a table, the main numbers of each run are printed; in the other
    formats all of report.score.
    """
    from tdtsql.cli.output import print_problems, print_relation, print_rows
    from tdtsql.cli.progress import progress_bar
    from tdtsql.store.evaluate import evaluate_into
    from tdtsql.store.store import connect

    if page is not None and not check:
        from tdtsql.report.write import check_place

        check_place(page)
    with connect(":memory:" if check else db, trace=trace) as store, progress_bar() as progress:
        report = evaluate_into(store, bundle, progress=progress, score=not check)
        print_problems(report.warnings)
        for line in report.said:
            click.echo(line, err=True)
        if check:
            click.echo(f"{bundle}: {len(report.loaded)} parts read, {len(report.warnings)} warnings, no errors.")
        elif format_ != "table":
            print_relation(store.score(), format_)
        else:
            there = {task for task, in store.relation("select distinct task from registry.condition").fetchall()}
            for task in SUMMARY:
                columns, rows = summary(store, task) if task in there else ([], [])
                if rows:
                    print_rows(columns, rows, format_, title=task)
        if page is not None and not check:
            from tdtsql.report.write import write_report

            size = write_report(store, page, title=bundle_title(bundle), progress=progress)
            click.echo(f"{page} is ready, {size / 1e6:.1f} MB.", err=True)
        if not check and db != ":memory:" and format_ == "table":
            click.echo(f"{report.n_scored} scored. All numbers: tdtsql score --db {db}", err=True)


def bundle_title(bundle: Path) -> str:
    """Return the headline of a bundle's report."""
    import tomllib

    return f"Evaluation report: {tomllib.loads(bundle.read_text(encoding='utf-8-sig')).get('name', bundle.stem)}"


def summary(store, task: str) -> tuple[list[str], list[tuple]]:
    """Return the main numbers of the runs of a task, one row a run and profile.

    Where the plan has the task, column ``plan`` says whether it requires the condition.
    """
    weighting, metrics = SUMMARY[task]
    plan = "condition.plan, " if store.relation(f"select 1 from report.condition where task = '{task}' and plan is not null").fetchall() else ""
    columns = ", ".join(f"max(case when metric = '{metric}' then value end) as {metric}" for metric in metrics)
    relation = store.relation(f"""
        select score.condition_id, {plan}score.run_id, score.profile_id, {columns}
        from report.score as score join report.condition as condition on condition.condition_id = score.condition_id
        where score.task = '{task}' and score.subset = 'all' and score.weighting = '{weighting}'
        group by score.condition_id, {plan}score.run_id, score.profile_id order by score.condition_id, score.profile_id, score.run_id""")
    return relation.columns, relation.fetchall()
