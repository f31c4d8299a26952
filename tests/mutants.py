"""Mutation test of the suite: plant one fault at a time, and report which lane of the tests finds it.

Not part of the suite; it takes hours of processor time. From the root of the checkout, in the development environment:

    python tests/mutants.py --list                        # the chosen mutants, without running anything
    python tests/mutants.py --work /tmp/mutants           # run them; a second call continues where the first stopped
    python tests/mutants.py --work /tmp/mutants --table   # print the results so far

How it works: every place in the folders of `GROUPS` where an operator of `SQL_OPERATORS` or `sites_of` applies is a
possible mutant. A seed chooses among them, evenly over the groups: 130 in files that 0.1.0 had, and 40 in those that
0.2.0 created. The choice depends on the text of each place, not on its line: it stays the same while files
grow. A mutant is planted in a temporary copy of the tree (the lock is rewritten: it would find every change of
SQL); one that does not compile is replaced by the next of its group.

1. Each mutant alone: the test files that mention it or lie in a folder of the same name, until the first failure.
2. What survives is planted all at once, and each lane runs once; the tests that fail are then run for each mutant
   alone. This repeats until a run of the lane finds nothing more.
"""

import argparse
import ast
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

#: group of mutants -> folders and files; one that does not exist is skipped
GROUPS = {
    "sql base": ["sql/base", "sql/derived", "sql/macro"],
    "sql detection": ["sql/metric/detection", "sql/metric/cost", "sql/metric/first_detection"],
    "sql verification": ["sql/metric/verification"],
    "sql partition": ["sql/metric/partition"],
    "sql bcubed": ["sql/metric/bcubed"],
    "sql summarization": ["sql/metric/summarization", "sql/metric/value_tracking"],
    "sql filtering": ["sql/metric/filtering", "sql/metric/hierarchy", "sql/metric/adjudication"],
    "sql report": ["sql/report", "sql/ledger", "sql/audit", "sql/query"],
    "loading": ["tdtsql/load", "tdtsql/tasks"],
    "scoring": ["tdtsql/scoring", "tdtsql/hierarchy", "tdtsql/trials", "tdtsql/kernels", "tdtsql/distribution"],
    "audit": ["tdtsql/audit", "tdtsql/store"],
    "compare": ["tdtsql/compare", "tdtsql/gate.py"],
    "new sql": ["sql/load", "sql/archive", "sql/explain", "sql/verify"],
    "new python": ["tdtsql/files", "tdtsql/load", "tdtsql/show"],
}
NEW = 20  #: mutants of each group of files that 0.2.0 created
#: lane -> its marker expression, in the order in which they run
LANES = {"default": "not full and not engine and not browser", "full": "full and not engine and not browser"}
#: test files that see most of the package, cheapest first; run for a mutant after the files that mention it
BROAD = "cases test_example.py test_api.py cookbook golden store/test_malformed_bundles.py".split()
LOCK = "sql/versions.lock"
MOST_PER_FILE = 3
RELEVANT_FILES = 14
HANG = 600  #: processor seconds after which a run for one mutant counts as a kill; without one it takes a third of it


@dataclass(frozen=True)
class Mutant:
    """One planted fault: replace ``text[begin:end]`` of ``path`` (offsets in bytes) by ``new``."""

    path: str
    begin: int
    end: int
    old: str
    new: str
    operator: str
    key: str  #: what the choice depends on: the text around the place

    @property
    def name(self) -> str:
        return hashlib.sha256(f"{self.path}|{self.operator}|{self.key}".encode()).hexdigest()[:10]

    def __str__(self) -> str:
        def short(text: str) -> str:
            return (line[:50] + "..") if len(line := " ".join(text.split())) > 52 else line

        return f"{self.name} {self.path}: {self.operator}: {short(self.old)} -> {short(self.new) or '(nothing)'}"


# ---- SQL: operators on the text below the header

_FLIP = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "<>", "<>": "="}
SQL_OPERATORS = [
    ("flipped comparison", re.compile(r"(?<= )(<=|>=|<>|<|>|=)(?= )"), lambda m: _FLIP[m[1]]),
    ("swapped join side", re.compile(r"\bleft join\b"), lambda m: "join"),
    ("swapped join side", re.compile(r"(?<=\n)( *)join\b"), lambda m: f"{m[1]}left join"),
    ("off by one", re.compile(r"(?<=[ (])(\d+)(?=[ ),\n])"), lambda m: str(int(m[1]) + 1)),
    ("and for or", re.compile(r"\b(and|or)\b"), lambda m: "or" if m[1] == "and" else "and"),
    ("dropped distinct", re.compile(r"\bdistinct "), lambda m: ""),
    ("min for max", re.compile(r"\b(min|max)(?=\()"), lambda m: "max" if m[1] == "min" else "min"),
    ("reversed order", re.compile(r" desc\b"), lambda m: ""),
    ("negated null test", re.compile(r"\bis (not )?null\b"), lambda m: "is null" if m[1] else "is not null"),
    ("minus for plus", re.compile(r" ([+-]) "), lambda m: " - " if m[1] == "+" else " + "),
    ("dropped not", re.compile(r"\bnot (?=\w+\.?\w*\b(?! null))"), lambda m: ""),
    ("dropped union all", re.compile(r"\bunion all\b"), lambda m: "union"),
    (
        "shorter partition",
        re.compile(r"\bpartition by (\w+(?:\.\w+)?), (\w+(?:\.\w+)?)"),
        lambda m: f"partition by {m[1]}",
    ),
    ("dropped filter", re.compile(r" filter \(where [^()]*\)"), lambda m: ""),
]
_COALESCE = re.compile(r"\bcoalesce\(")


def _arguments(text: str, begin: int) -> tuple[list[str], int]:
    """Return (the arguments of the call whose parenthesis opens before ``begin``, offset after the closing one)."""
    depth, start, found = 0, begin, []
    for at in range(begin, len(text)):
        if text[at] == "(":
            depth += 1
        elif text[at] == ")":
            if not depth:
                return [*found, text[start:at]], at + 1
            depth -= 1
        elif text[at] == "," and not depth:
            found.append(text[start:at])
            start = at + 1
    return [], begin


def sql_mutants(path: Path, relative: str) -> Iterator[Mutant]:
    """Yield every mutant of a SQL file."""
    text = path.read_text(encoding="utf-8")
    below = text.find("*/") + 2 if text.lstrip().startswith("/*") else 0
    blank = re.sub(r"--[^\n]*|'[^']*'", lambda m: "~" * len(m[0]), text)  # comments and texts stay as they are

    def made(begin: int, end: int, new: str, operator: str) -> Mutant:
        around = " ".join(text[max(below, begin - 60) : end + 60].split())
        first, last = len(text[:begin].encode()), len(text[:end].encode())
        return Mutant(relative, first, last, text[begin:end], new, operator, around)

    for operator, pattern, change in SQL_OPERATORS:
        for match in pattern.finditer(blank, below):
            yield made(match.start(), match.end(), change(match), operator)
    for match in _COALESCE.finditer(blank, below):
        arguments, end = _arguments(text, match.end())
        if len(arguments) > 1:
            yield made(match.start(), end, arguments[0].strip(), "dropped coalesce")


# ---- Python: operators on the syntax tree

_COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_EMBEDDED = [
    item
    for item in SQL_OPERATORS
    if item[0] in ("swapped join side", "dropped distinct", "reversed order", "and for or", "negated null test")
]


def sites_of(node: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
    """Yield (node, replacement, operator) of every place in a tree where a mutation applies."""

    def made(new: ast.AST | str, operator: str, at: ast.AST = node) -> tuple[ast.AST, str, str]:
        return at, new if isinstance(new, str) else f"({ast.unparse(new)})", operator

    inside = None
    match node:
        case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):  # no annotations
            inside = [*args.defaults, *filter(None, args.kw_defaults), *node.body]
        case ast.AnnAssign():
            inside = [node.value] if node.value else []
        case ast.ClassDef():
            inside = node.body
        case ast.Compare(ops=[op]) if type(op) in _COMPARE:
            yield made(ast.Compare(node.left, [_COMPARE[type(op)]()], node.comparators), "flipped comparison")
        case ast.BoolOp():
            yield made(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values), "and for or")
        case ast.UnaryOp(op=ast.Not()):
            yield made(node.operand, "dropped not")
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
            sides = (left, right)
            if not any(isinstance(one, ast.JoinedStr) or isinstance(getattr(one, "value", 0), str) for one in sides):
                other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
                yield made(ast.BinOp(left, other, right), "minus for plus")
        case ast.If(body=[*_, ast.Raise() | ast.Return() | ast.Continue() as last], orelse=[]):
            what = "error path" if isinstance(last, ast.Raise) else "early return"
            yield made("False", f"dropped {what}", node.test)
        case ast.Expr(value=ast.Constant()):
            inside = []
        case ast.Expr(value=ast.Call()):
            yield made("pass", "dropped call")
        case ast.Call(func=ast.Name(id="min" | "max" as name)):
            other = ast.Name("max" if name == "min" else "min")
            yield made(ast.Call(other, node.args, node.keywords), "min for max")
        case ast.Call(func=ast.Name(id="sorted"), keywords=[]):
            yield made(ast.Call(ast.Name("list"), node.args, []), "dropped sort")
        case ast.Constant(value=bool()):
            yield made(str(not node.value), "flipped flag")
        case ast.Constant(value=int()):
            yield made(str(node.value + 1), "off by one")
        case ast.Constant(value=str()) if re.search(r"\b(select|from|where|join)\b", node.value):
            yield made("", "sql")
        case ast.JoinedStr():  # texts of a formatted string have no position of their own before Python 3.12
            inside = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
    for child in ast.iter_child_nodes(node) if inside is None else inside:
        yield from sites_of(child)


def python_mutants(path: Path, relative: str) -> Iterator[Mutant]:
    """Yield every mutant of a Python file."""
    data = path.read_bytes()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    counted: Counter[str] = Counter()
    for node, new, operator in sites_of(ast.parse(data)):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        old = data[begin:end].decode()
        if operator == "sql":
            for name, pattern, change in _EMBEDDED:
                for match in pattern.finditer(old):
                    first = begin + len(old[: match.start()].encode())
                    last = begin + len(old[: match.end()].encode())
                    key = " ".join(old[max(0, match.start() - 40) : match.end() + 40].split())
                    yield Mutant(relative, first, last, match[0], change(match), f"{name} (embedded)", key)
            continue
        key = ast.unparse(node)
        counted[operator + key] += 1
        yield Mutant(relative, begin, end, old, new, operator, f"{key}|{counted[operator + key]}")


# ---- the choice


def order(mutant: Mutant, seed: int) -> str:
    return hashlib.sha256(f"{seed}|{mutant.name}".encode()).hexdigest()


def candidates(tree: Path, seed: int) -> dict[str, list[Mutant]]:
    """Return group -> its mutants in the order of the choice, at most `MOST_PER_FILE` of a file, kinds in turn."""
    found = {}
    for group, folders in GROUPS.items():
        files = [path for folder in folders for path in [tree / folder, *sorted((tree / folder).rglob("*"))]]
        mutants = []
        for path in files:
            relative = path.relative_to(tree).as_posix()
            if path.suffix == ".sql" and path.is_file():
                mutants += sql_mutants(path, relative)
            elif path.suffix == ".py" and path.is_file():
                mutants += python_mutants(path, relative)
        mutants.sort(key=lambda mutant: order(mutant, seed))
        rank: Counter[str] = Counter()
        turns = []
        for mutant in mutants:  # the first of each operator, then the second of each ..
            turns.append((rank[mutant.operator], order(mutant, seed), mutant))
            rank[mutant.operator] += 1
        per_file: Counter[str] = Counter()
        found[group] = []
        for _, _, mutant in sorted(turns, key=lambda turn: turn[:2]):
            per_file[mutant.path] += 1
            if per_file[mutant.path] <= MOST_PER_FILE:
                found[group].append(mutant)
    return found


# ---- running


def _is_compiled(path: str) -> bool:
    """Return whether what the package ships (`tdtsql/compiled`) is made from this file."""
    return path.startswith(("sql/", "tdtsql/store/build/", "tdtsql/build/"))


class Copy:
    """A copy of the tree with an environment in which `tdtsql` is that copy."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.origin, self.tree, self.bin = tree, folder / "tree", folder / "venv" / "bin"
        self.temporary = folder / "tmp"
        if not self.tree.exists():
            ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "*.duckdb")
            shutil.copytree(tree, self.tree, ignore=ignored, symlinks=True)
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
            [site] = (folder / "venv").glob("lib/python*/site-packages")
            base = [path for path in sys.path if path.endswith("site-packages")]
            (site / "a.pth").write_text("\n".join([str(self.tree), *base]) + "\n")
            script = f"#!{self.bin / 'python'}\nimport sys\nfrom tdtsql.cli.main import main\nsys.exit(main())\n"
            (self.bin / "tdtsql").write_text(script)
            (self.bin / "tdtsql").chmod(0o755)

    def run(self, *words: str, timeout: float) -> int:
        """Return the exit code of Python with ``words``; 124 after ``timeout`` seconds of the processor."""
        self.temporary.mkdir(parents=True, exist_ok=True)
        environment = {"TDTSQL_SHARED": str(self.origin.parent / "shared")} | os.environ
        environment |= {"TMPDIR": str(self.temporary), "PATH": f"{self.bin}:{os.environ['PATH']}"}
        environment.pop("PYTHONPATH", None)
        limit = int(timeout), int(timeout) + 5
        try:
            code = subprocess.call(
                [self.bin / "python", *words], cwd=self.tree, env=environment,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit),
            )  # fmt: skip
            return 124 if code in (-signal.SIGXCPU, -signal.SIGKILL) else code
        finally:
            shutil.rmtree(self.temporary, ignore_errors=True)

    def failures(self, lane: str, *words: str, timeout: float, workers: int = 0) -> tuple[int, list[str]]:
        """Return (exit code, tests that fail, fastest first) of the tests of a lane."""
        out = self.tree.parent / "junit.xml"
        out.unlink(missing_ok=True)
        options = f"-q -p no:cacheprovider -n {workers} -o junit_family=xunit1 --junitxml={out}".split()
        code = self.run("-m", "pytest", *options, "-m", LANES[lane], *words, timeout=timeout)
        if code in (4, 5):
            raise SystemExit(f"pytest was called wrongly (exit {code}): {words}")
        found = {}
        for case in ElementTree.parse(out).iter("testcase") if out.exists() else ():
            if {child.tag for child in case} & {"failure", "error"}:
                file = case.get("classname", "").replace(".", "/") + ".py"  # not that of a helper that defines it
                found[f"{file}::{case.get('name')}"] = float(case.get("time", 0))
        return code, sorted(found, key=found.__getitem__)

    def plant(self, mutants: list[Mutant]) -> bool:
        """Plant mutants in fresh files, released or not; return whether the package starts and every view binds."""
        changed = defaultdict(list)
        for mutant in mutants:
            changed[mutant.path].append(mutant)
        for path, inside in changed.items():
            data = (self.origin / path).read_bytes()
            for mutant in sorted(inside, key=lambda one: -one.begin):
                data = data[: mutant.begin] + mutant.new.encode() + data[mutant.end :]
            (self.tree / path).write_bytes(data)
        (self.tree / LOCK).write_text(
            re.sub(r"(?m)^(\S+) [\d.]+ ", r"\1 unreleased ", (self.origin / LOCK).read_text())
        )
        if any(map(_is_compiled, changed)) and self.run("-m", "tdtsql.build.lock", "--write", timeout=120):
            return False
        return self.run("-c", "import tdtsql, tdtsql.cli.main; tdtsql.connect(':memory:').close()", timeout=120) == 0

    def restore(self, mutants: list[Mutant]) -> None:
        """Take the mutants out again."""
        changed = {LOCK, *(mutant.path for mutant in mutants)}
        if any(map(_is_compiled, changed)):
            changed.update(f"tdtsql/compiled/{path.name}" for path in (self.origin / "tdtsql/compiled").iterdir())
        for path in changed:
            shutil.copy(self.origin / path, self.tree / path)


def relevant(tree: Path, path: str, seconds: dict[str, float]) -> list[str]:
    """Return the test files to try first for a changed file: most mentions for the least time."""
    stem = re.sub(r"__v\d+$", "", Path(path).stem).lstrip("_")
    folders = [part for part in Path(path).parts[1:-1] if part not in ("metric", "tasks")]
    relation = "_".join([*folders, stem]) if path.startswith("sql/metric") else stem
    names = (path.removesuffix(".py").replace("/", "."), f"{relation}__v", f"{'/'.join([*folders, stem])}__v")
    scores = {}
    for file in sorted(tree.glob("tests/**/test_*.py")):
        name, text = file.relative_to(tree).as_posix(), file.read_text(encoding="utf-8")
        score = 8 * any(one in text for one in names) + 3 * (f'"{relation}' in text or f"{relation}(" in text)
        score += 6 * (stem in file.stem and len(stem) > 3) + sum(3 for folder in folders if folder in name)
        score += sum(len(word) > 3 and word in name for word in stem.split("_"))
        if score:
            scores[name] = score / (2 + seconds.get(name, 5))
    first = sorted(scores, key=lambda name: -scores[name])[:RELEVANT_FILES]
    return first + [name for name in map("tests/{}".format, BROAD) if (tree / name).exists() and name not in first]


class Session:
    """Results of a run in the folder ``work``, one line of JSON for each mutant and step."""

    def __init__(self, work: Path) -> None:
        self.path, self.sound = work / "results.jsonl", work / "sound.json"
        lines = self.path.read_text().splitlines() if self.path.exists() else ()
        self.rows: dict[str, dict] = {row["name"]: row for row in map(json.loads, lines)}
        #: test -> whether it passes on the unchanged tree: only failures of those that do count
        self.passes: dict[str, bool] = json.loads(self.sound.read_text()) if self.sound.exists() else {}

    def note(self, mutant: Mutant, group: str, state: str, by: str = "") -> None:
        """Remember what became of a mutant: invalid, default, full, survived, or what is still to be done."""
        row = {"name": mutant.name, "group": group, "what": str(mutant), "state": state, "by": by}
        self.rows[mutant.name] = row
        with self.path.open("a") as out:
            out.write(json.dumps(row) + "\n")
        print(f"{state:12} {mutant}  {by}", flush=True)

    def is_sound(self, copy: Copy, lane: str, test: str) -> bool:
        """Return whether a test passes on the unchanged tree, which is in place."""
        if test not in self.passes:
            self.passes[test] = copy.failures(lane, test, timeout=HANG)[0] == 0
            self.sound.write_text(json.dumps(self.passes))
        return self.passes[test]

    def left(self) -> list[str]:
        return [name for name, row in self.rows.items() if row["state"] == "relevant"]

    def table(self) -> str:
        """Return the number of mutants by group and state."""
        rows = [row for row in self.rows.values() if row["state"] != "invalid"]
        states = {"default": "default lane", "full": "full lane only", "survived": "survived", "relevant": "undecided"}
        lines = [f"| group | mutants | {' | '.join(states.values())} |", "|---|" + "--:|" * 5]
        for group in [*dict.fromkeys(row["group"] for row in rows), "all"]:
            inside = Counter(row["state"] for row in rows if group in (row["group"], "all"))
            lines.append(f"| {group} | {inside.total()} | {' | '.join(str(inside[state]) for state in states)} |")
        return "\n".join(lines)


def seconds_of(costs: Path | None) -> dict[str, float]:
    """Return test file -> processor seconds from a file of `pytest --costs`."""
    found: Counter[str] = Counter()
    for line in costs.read_text(encoding="utf-8").splitlines() if costs else ():
        if not line.startswith("#"):
            *numbers, test = line.split()
            found[test.split("::")[0]] += sum(map(float, numbers))
    return found


def alone(copy: Copy, session: Session, chosen: dict[str, int], seed: int, costs: Path | None) -> None:
    """Step 1: try each mutant with the tests of the default lane that are most likely to see it."""
    seconds = seconds_of(costs)
    queues = {group: iter(mutants) for group, mutants in candidates(copy.origin, seed).items()}
    done = Counter(row["group"] for row in session.rows.values() if row["state"] != "invalid")
    while open_groups := [group for group in queues if done[group] < chosen[group]]:
        for group in open_groups:  # in turn, so that an interrupted run has some of each
            mutant = next((one for one in queues[group] if one.name not in session.rows), None)
            if mutant is None:
                chosen[group] = 0
                continue
            state, by = tried(copy, session, mutant, relevant(copy.tree, mutant.path, seconds))
            session.note(mutant, group, state, by)
            done[group] += state != "invalid"


def tried(copy: Copy, session: Session, mutant: Mutant, tests: list[str]) -> tuple[str, str]:
    """Return (state of a mutant after these tests of the default lane, test that fails)."""
    while True:
        if not copy.plant([mutant]):
            copy.restore([mutant])
            return "invalid", ""
        bad = [f"--deselect={test}" for test, passes in session.passes.items() if not passes]
        code, failed = copy.failures("default", "-x", *bad, *tests, timeout=HANG)
        copy.restore([mutant])
        if code == 0:
            return "relevant", ""
        if not failed or session.is_sound(copy, "default", failed[0]):
            return "default", failed[0] if failed else "a hang" if code == 124 else f"exit {code}"


def together(copy: Copy, session: Session, seed: int, workers: int) -> None:
    """Step 2: plant all that is left at once, run each lane, and attribute what fails."""
    known = {mutant.name: mutant for mutants in candidates(copy.origin, seed).values() for mutant in mutants}
    for lane in LANES:
        while left := [known[name] for name in session.left() if name in known]:
            copy.plant(left)
            _, failed = copy.failures(lane, timeout=7200, workers=workers)
            copy.restore(left)
            one_of_each = list({test.split("[")[0]: test for test in reversed(failed)}.values())[::-1]
            suspects = [test for test in one_of_each if session.is_sound(copy, lane, test)]
            print(f"{lane}: {len(left)} mutants together, {len(suspects)} tests fail", flush=True)
            n_left = len(left)
            for mutant in left if suspects else ():
                copy.plant([mutant])
                code, failed = copy.failures(lane, "-x", *suspects, timeout=HANG)
                copy.restore([mutant])
                if code:
                    by = failed[0] if failed else f"exit {code}"
                    session.note(mutant, session.rows[mutant.name]["group"], lane, by)
                    n_left -= 1
            if n_left == len(left):
                break
    for name in session.left():
        if name in known:
            session.note(known[name], session.rows[name]["group"], "survived")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, default=ROOT, help="checkout to test (default: this one)")
    parser.add_argument("--work", type=Path, help="folder for the copy and the results; a second call continues there")
    parser.add_argument("--seed", type=int, default=1, help="seed of the choice (default 1)")
    parser.add_argument("--number", type=int, default=130, help="mutants of older files (default 130)")
    parser.add_argument("--group", action="append", help="only this group (repeatable)")
    parser.add_argument("--step", choices=["alone", "together"], help="only this step (default: both)")
    parser.add_argument("--costs", type=Path, help="file of `pytest --costs`: cheap test files first")
    parser.add_argument("--workers", type=int, default=0, help="processes of pytest for whole lanes (default: none)")
    parser.add_argument("--list", action="store_true", help="print the mutants and end")
    parser.add_argument("--table", action="store_true", help="print the results so far and end")
    options = parser.parse_args()
    groups = options.group or list(GROUPS)
    chosen = {group: NEW * group.startswith("new ") for group in GROUPS}
    for is_sql in (True, False):
        inside = [group for group in GROUPS if not chosen[group] and group.startswith("sql ") == is_sql]
        share, more = divmod(options.number // 2, len(inside))
        chosen |= {group: share + (place < more) for place, group in enumerate(inside)}
    chosen = {group: number if group in groups else 0 for group, number in chosen.items()}
    if options.list:
        for group, mutants in candidates(options.tree.resolve(), options.seed).items():
            print(f"{group}: {chosen[group]} of {len(mutants)}")
            print("".join(f"    {mutant}\n" for mutant in mutants[: chosen[group]]), end="")
        return
    if options.work is None:
        parser.error("--work is needed: a folder for the copy and the results")
    options.work.mkdir(parents=True, exist_ok=True)
    session = Session(options.work)
    if not options.table:
        copy = Copy(options.tree.resolve(), options.work)
        if options.step != "together":
            alone(copy, session, chosen, options.seed, options.costs)
        if options.step != "alone":
            together(copy, session, options.seed, options.workers)
    print(session.table())


if __name__ == "__main__":
    main()
