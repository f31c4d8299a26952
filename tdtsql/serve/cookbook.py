"""The cookbook: its saved queries, and a page for each with its parameters as fields."""

from itertools import groupby

from tdtsql.cookbook.saved_query import ANYTHING, Parameter, SavedQuery, find, questions
from tdtsql.errors import TdtsqlError
from tdtsql.serve.server import PageRequest, Page
from tdtsql.serve.markup import Content, Html, escaped, hidden, link, notice, section, table, tag
from tdtsql.serve.query import answer, query_of, without_option

#: parameters whose values are few enough to choose from -> where they stand
_CHOICES = {
    "run": "select distinct run_id from registry.run order by 1",
    "condition": "select condition_id from registry.condition order by condition_no",
    "profile": "select distinct profile_id from registry.condition_profile join registry.profile using (profile_no) "
    "order by 1",
    "metric": "select distinct metric from registry.metric order by 1",
    "weighting": "select distinct weighting from report.score order by 1",
    "subset": "select distinct subset from report.score order by 1",
    "topic": "select distinct block_id from base.block order by 1",
}
#: names of the address that are no parameters
_OWN = ("name", "data", "sort", "down", "form", "q")


def index(ask: PageRequest) -> Page:
    parts = [
        section(
            about.capitalize(),
            tag(
                "ul",
                [
                    tag(
                        "li",
                        link(question.title, "/question", name=question.name),
                        ": ",
                        tag("span", question.question, class_="soft"),
                    )
                    for question in group
                ],
            ),
        )
        for about, group in groupby(questions().values(), key=lambda question: question.about)
    ]
    return Page("Cookbook", escaped(parts), "/cookbook")


def page(ask: PageRequest) -> Page:
    question = find(ask.require("name"))
    body: list[Content] = [tag("p", question.question, class_="lead")]
    status = 200
    if question.reads_another_store:
        body.append(
            notice(
                "This query opens another file, which the server does not allow. On the command line: ",
                tag("code", f"tdtsql ask {question.name} {question.usage}"),
            )
        )
    else:
        given = {
            parameter.name: ask.get(parameter.name) for parameter in question.parameters if parameter.name not in _OWN
        }
        body.append(_form(ask, question, given))
        lacking = [
            parameter.name
            for parameter in question.parameters
            if parameter.is_needed and given.get(parameter.name) is None
        ]
        if lacking:
            body.append(tag("p", f"It needs {' and '.join(lacking)}."))
        else:
            try:
                with ask.engine.within(ask.limits):
                    sql = query_of(ask)
                    body.append(
                        answer(
                            ask,
                            sql,
                            caption=f"Answer: {question.title}",
                            name=question.name,
                            **{name: value for name, value in given.items() if value is not None},
                        )
                    )
                body.append(
                    tag("p", link("The same on the SQL page", "/sql", q=sql, data=ask.server.head), ", to change it.")
                )
            except TdtsqlError as error:
                body.append(section("Not answered", tag("pre", without_option(error), class_="notice", role="status")))
                status = 400
    body.append(
        section(
            "How",
            tag("p", f"One row: {', '.join(question.grain)}. {question.fields['order']}"),
            table(
                ["column", "unit", "what it is"],
                [[column.name, column.unit, tag("span", column.text, class_="words")] for column in question.columns],
                caption="Columns of the answer",
            ),
            tag("details", tag("summary", "SQL"), tag("pre", question.body, class_="sql")),
        )
    )
    return Page(question.title, escaped(body), "/cookbook", status)


def _form(ask: PageRequest, question: SavedQuery, given: dict[str, str | None]) -> Html:
    fields = [
        _field(ask, parameter, given.get(parameter.name))
        for parameter in sorted(question.parameters, key=lambda parameter: not parameter.is_needed)
    ]
    return tag(
        "form",
        hidden(name=question.name, data=ask.server.head),
        fields,
        tag("button", "Ask", class_="plain", type="submit"),
        action="/question",
        method="get",
        class_="controls",
    )


def _field(ask: PageRequest, parameter: Parameter, value: str | None) -> Html:
    help_ = f"{parameter.name}: {parameter.text}"
    shown = value if value is not None else parameter.default if parameter.default not in (None, ANYTHING) else ""
    if parameter.type in _CHOICES:
        known = ask.server.cached(
            ("choices", parameter.type), lambda: [row[0] for row in ask.rows(_CHOICES[parameter.type])]
        )
        if len(known) <= 200:
            options = (
                [tag("option", "any" if not parameter.is_needed else "choose", value="")]
                if parameter.default in (None, ANYTHING)
                else []
            )
            options += [tag("option", name, value=name, selected=name == shown) for name in known]
            return tag("label", help_, tag("select", options, name=parameter.name, required=parameter.is_needed))
    kind = "number" if parameter.type in ("count", "number") else "text"
    return tag(
        "label",
        help_,
        tag(
            "input",
            type=kind,
            name=parameter.name,
            value=shown,
            step="any" if parameter.type == "number" else None,
            min=0 if parameter.type == "count" else None,
            required=parameter.is_needed,
            class_="field",
        ),
    )
