"""Formulas of the headers as MathML, which browsers set without a library: what is an equation becomes one, words stay
words.

``p_miss = n_miss / n_target`` is read as an expression and set as a fraction; a name's first part carries the others as
its index.
Only names of columns, single letters and a few functions are names: a piece of a line with any other word stands as it
is written.
"""

import ast
import re
from functools import cache
from html import escape

from tdtsql.definitions.catalogue import catalog

_SIGNS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "·"}
_LEVEL = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2}
_GREEK = {"pi": "π", "beta": "β", "tau": "τ", "rho": "ρ", "lambda": "λ", "alpha": "α"}
_FUNCTIONS = frozenset("min max exp sqrt floor log atan sum".split())
_TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z]\w*)|(?P<number>\d+(?:\.\d+)?)|(?P<sign>[-+*/^(),]))(?P<blank>\s*)")


@cache
def names() -> frozenset[str]:
    """Return the words that are names in a formula, if they have more than one letter."""
    columns = {column.name for relation in catalog().values() for column in relation.header.columns}
    return frozenset(columns | {"p_target", "c_miss", "c_fa", "weight", "w_det"} | set(_GREEK))


def typeset(text: str) -> str:
    """Return the formula of a header as HTML."""
    lines = []
    for line in text.replace("\n" + " " * 10, "\n").splitlines():  # the field's text begins in column 10
        # around "=" a formula may be set apart by blanks, to stand under the one above
        joined = re.split(r"\s{2,}", re.sub(r"\s+=\s+", " = ", line.strip()))
        sets = [_piece(piece) for piece in joined]
        indent = len(line) - len(line.lstrip())
        lines.append(
            f'<div style="margin-left: {indent // 4 * 1.2:.1f}em">{"&emsp; ".join(sets)}</div>' if line.strip() else ""
        )
    return f'<div class="formula">{"".join(lines)}</div>'


def _piece(text: str) -> str:
    label, rest = (found[0], text[len(found[0]) :]) if (found := re.match(r"[A-Za-z][\w -]*: +", text)) else ("", text)
    end = rest[-1] if rest[-1:] in ",;" else ""
    made = equation(rest.removesuffix(end)) if end else equation(rest)
    return f"{escape(label)}<math>{made}</math>{end}" if made else escape(text)


def equation(text: str) -> str | None:
    """Return ``name = expression = ...`` as MathML; None where it is none."""
    sides = text.split(" = ")
    if len(sides) < 2:
        return None
    try:
        return (
            "<mrow>" + "<mo>=</mo>".join(_set(ast.parse(_python(side), mode="eval").body) for side in sides) + "</mrow>"
        )
    except (SyntaxError, ValueError):
        return None


def _python(text: str) -> str:
    """Return an expression with every multiplication written out; ValueError where a word is no name."""
    out: list[str] = []
    place, after_value, touching = 0, False, False
    text = text.strip()
    while place < len(text):
        token = _TOKEN.match(text, place)
        if not token:
            raise ValueError(text)
        name, number, sign = token["name"], token["number"], token["sign"]
        if name and not (len(name) == 1 or name in names() or name in _FUNCTIONS):
            raise ValueError(name)
        # a value after a value is multiplied with it, unless it is what a function is of: f(x) has no blank, and "sum
        # x" takes one name
        if name == "sum":
            out.append(("*" if after_value else "") + "sum ")
            after_value = touching = False
        else:
            if after_value and (name or number or (sign == "(" and not touching)):
                out.append("*")
            out.append("**" if sign == "^" else name or number or sign)
            after_value = bool(name or number or sign == ")")
            touching = bool(name) and not token["blank"]
        place = token.end()
    return re.sub(r"sum (\w+)", r"sum(\1)", "".join(out))


def _set(node: ast.expr, level: int = 0) -> str:
    match node:
        case ast.BinOp(op=ast.Div()):
            return f"<mfrac>{_row(node.left)}{_row(node.right)}</mfrac>"
        case ast.BinOp(op=ast.Pow()):
            return f"<msup>{_set(node.left, 3)}{_row(node.right)}</msup>"
        case ast.BinOp() if type(node.op) in _SIGNS:
            own = _LEVEL[type(node.op)]
            right = _set(node.right, own + isinstance(node.op, ast.Sub))
            body = f"{_set(node.left, own)}<mo>{_SIGNS[type(node.op)]}</mo>{right}"
            return f"<mrow><mo>(</mo>{body}<mo>)</mo></mrow>" if own < level else f"<mrow>{body}</mrow>"
        case ast.UnaryOp(op=ast.USub()):
            return f"<mrow><mo>−</mo>{_set(node.operand, 3)}</mrow>"
        case ast.Call(func=ast.Name(id="sum"), args=[argument]):
            return f"<mrow><mo>∑</mo>{_set(argument)}</mrow>"
        case ast.Call(func=ast.Name(), keywords=[]):
            inside = "<mo>,</mo>".join(_set(argument) for argument in node.args)
            return f"<mrow>{_name(node.func.id)}<mo>(</mo>{inside}<mo>)</mo></mrow>"
        case ast.Name():
            return _name(node.id)
        case ast.Constant(value=int() | float()):
            return f"<mn>{node.value}</mn>"
    raise ValueError(ast.dump(node))


def _row(node: ast.expr) -> str:
    return f"<mrow>{_set(node)}</mrow>"


def _name(text: str) -> str:
    first, _, rest = text.partition("_")
    head = f"<mi>{escape(_GREEK.get(first, first))}</mi>"
    return f"<msub>{head}<mtext>{escape(rest.replace('_', ' '))}</mtext></msub>" if first and rest else head
