"""Notebooks of ``docs/notebook`` as pages: their text, their cells, and what the cells give when they are run here."""

import ast
import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "notebook"


def as_markdown() -> dict[str, str]:
    """Return each notebook as a page."""
    return {f"notebook/{path.stem}.md": page(path) for path in sorted(FOLDER.glob("*.ipynb"))}


def cells(path: Path) -> list[tuple[str, str]]:
    """Return (markdown or code, text) of the cells of a notebook."""
    return [
        (cell["cell_type"], "".join(cell["source"])) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
    ]


def run(text: str, names: dict) -> tuple[str, object]:
    """Run a cell; return what it printed, and the value of its last line where that is an expression."""
    tree = ast.parse(text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    said = io.StringIO()
    with redirect_stdout(said):
        exec(compile(tree, "notebook", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "notebook", "eval"), names) if last else None
    return said.getvalue(), value


def page(path: Path) -> str:
    """Return a notebook as a page."""
    parts, names = [], {}
    for kind, text in cells(path):
        if kind == "markdown":
            parts.append(text)
            continue
        said, value = run(text, names)
        parts.append(f"```python\n{text}\n```")
        if said.strip():
            parts.append(f"```text\n{said.rstrip()}\n```")
        if value is not None:
            parts.append(shown(value))
    return "\n\n".join(parts) + f"\n\nThe notebook itself is `docs/notebook/{path.name}`.\n"


def shown(value: object) -> str:
    """Return a value as a notebook shows it: HTML, a drawing, or text."""
    if hasattr(value, "_repr_html_") and (html := value._repr_html_()):
        return "<div>" + re.sub(r"\s*\n\s*", " ", html) + "</div>"
    if hasattr(value, "savefig"):
        file = io.StringIO()
        value.savefig(file, format="svg")
        return "<div>" + re.sub(r"\s*\n\s*", " ", file.getvalue()[file.getvalue().index("<svg") :]) + "</div>"
    return f"```text\n{value}\n```"
