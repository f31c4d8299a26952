"""Scores of a run on a key of trials, by class and by an attribute, on the run's page."""

from tdtsql.errors import UnknownName
from tdtsql.report.trials.priors import priors_of, shown_priors
from tdtsql.report.trials.scores import scores_of, shown_scores
from tdtsql.report.trials.subsets import MOST_VALUES, attributes_of
from tdtsql.serve.server import PageRequest
from tdtsql.serve.markup import Html, choice, hidden, link, section, tag

#: seconds that the drawings may take
_PATIENCE = 8


def priors_section(ask: PageRequest, condition: str, run: str, profile: str) -> Html | None:
    """Error rates over priors: actual, least, and of deciding by the prior alone."""
    priors = ask.with_deadline(
        _PATIENCE,
        lambda: ask.server.cached(
            ("priors", condition, run, profile), lambda: priors_of(ask.engine, condition, profile, [run])
        ),
    )
    return section(
        "Error over priors",
        Html(shown_priors(priors, ask.looks()))
        if priors is not None
        else tag("p", f"The curves took longer than {_PATIENCE} s, or a class has no trial."),
    )


def scores_section(ask: PageRequest, condition: str, run: str) -> Html:
    """Scores in bins: by the attribute of the address, by the first that there is, or by class alone."""
    attributes = attributes_of(ask.engine, condition)
    few = [name for name, n_value in attributes.items() if n_value <= MOST_VALUES]
    by = ask.get("by") or next(iter(few), None)
    if by is not None and by not in attributes:
        raise UnknownName(
            f"attribute '{by}' is not in the key of '{condition}', or makes no subsets. There is: "
            f"{', '.join(attributes) or 'none'}."
        )
    form = (
        tag(
            "form",
            hidden(condition=condition, run=run),
            choice("attribute", "by", attributes, by),
            tag("button", "Show", class_="plain", type="submit"),
            action="/run",
            method="get",
            class_="controls",
        )
        if attributes
        else None
    )
    scores = ask.with_deadline(
        _PATIENCE,
        lambda: ask.server.cached(
            ("trial scores", condition, run, by), lambda: scores_of(ask.engine, condition, run, by)
        ),
    )
    return section(
        "Scores by class and attribute",
        tag("p", link("Subsets of this condition by runs", "/subsets", condition=condition, by=by)),
        form,
        Html(shown_scores(scores))
        if scores is not None
        else tag("p", f"The drawings took longer than {_PATIENCE} s, or the run has no finite score."),
    )
