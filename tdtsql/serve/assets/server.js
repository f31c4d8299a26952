"use strict";
// Colours of SQL and names in the editor. Every page works without it.

document.addEventListener("DOMContentLoaded", () => {
  const editor = document.getElementById("q");
  if (editor) { completeNames(editor, document.getElementById("complete")); paintEditor(editor); }
  for (const block of document.querySelectorAll("pre.sql")) block.replaceChildren(...painted(block.textContent));
  // fields that say nothing do not lengthen the address
  for (const form of document.forms) {
    form.addEventListener("submit", () => {
      for (const field of form.elements) if (field.name && field.value === "" && !field.required) field.disabled = true;
    });
  }
});
window.addEventListener("pageshow", () => { for (const form of document.forms) for (const field of form.elements) field.disabled = false; });

const keywords = ["select", "from", "where", "group by", "order by", "having", "join", "left join", "using", "with", "union all", "limit", "distinct", "case", "when", "then", "else", "end",
  "and", "or", "not", "in", "is null", "between", "like", "count(*)", "sum", "min", "max", "median", "asc", "desc", "nulls last"];

// ---- colours of SQL

const sqlWords = new Set(`all and any as asc between by case cast cross describe desc distinct else end except exists explain false filter first from full group grouping having ilike in inner
  intersect interval is join last lateral left like limit materialized natural not null nulls offset on or order outer over partition pivot positional qualify range recursive right rows
  sample select semi anti set summarize table then true union unnest unpivot using values when where window with within`.split(/\s+/));
const sqlParts = /(?<comment>--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<text>'(?:[^']|'')*(?:'|$))|(?<name>"(?:[^"]|"")*(?:"|$))|(?<number>\b\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b)|(?<word>[\p{L}_$][\p{L}\p{N}_]*)/giu;

// The parts of a query as nodes: keywords, functions, texts, numbers and comments in elements of their class, all else as it stands.
function painted(sql) {
  const nodes = [];
  let done = 0;
  for (const part of sql.matchAll(sqlParts)) {
    let [kind] = Object.entries(part.groups).find(([, found]) => found !== undefined);
    const after = part.index + part[0].length;
    if (kind === "word") kind = sqlWords.has(part[0].toLowerCase()) ? "keyword" : /^\s*\(/.test(sql.slice(after, after + 20)) ? "function" : null;
    if (kind === null || kind === "name") continue;
    if (part.index > done) nodes.push(sql.slice(done, part.index));
    const span = document.createElement("span");
    span.className = `sql-${kind}`;
    span.textContent = part[0];
    nodes.push(span);
    done = after;
  }
  nodes.push(sql.slice(done));
  return nodes;
}

// The same text in colours below the editor, whose own letters are not seen: what is typed stays a plain field.
function paintEditor(editor) {
  const below = document.createElement("pre");
  below.className = "paint";
  below.setAttribute("aria-hidden", "true");
  editor.before(below);
  editor.parentElement.classList.add("painted");
  const place = () => {
    below.style.width = `${editor.clientWidth}px`; // without the scrollbar, so that lines break at the same letters
    below.style.height = `${editor.clientHeight}px`;
    below.scrollTop = editor.scrollTop;
    below.scrollLeft = editor.scrollLeft;
  };
  const paint = () => { below.replaceChildren(...painted(editor.value), "\n"); place(); };
  editor.addEventListener("input", paint);
  editor.addEventListener("scroll", place);
  new ResizeObserver(place).observe(editor);
  window.addEventListener("pageshow", paint);
  editor.form.addEventListener("reset", () => setTimeout(paint));
  editor.painted = paint;
  paint();
}

// ---- names in the editor

function completeNames(editor, list) {
  let names = null;
  const read = async () => { names ??= await (await fetch("/names.json")).json(); };
  const before = () => editor.value.slice(0, editor.selectionStart);
  // what stands in an open quote, else the name that is being typed
  const quote = () => (before().match(/'/g)?.length % 2 ? before().match(/[^']*$/)[0] : null);
  const word = () => quote() ?? before().match(/[\w.]*$/)[0];

  function fitting() {
    const typed = word().toLowerCase();
    if (!names) return [];
    if (quote() !== null) return names.values.filter((name) => name.toLowerCase().startsWith(typed) && name !== word()).slice(0, 10);
    if (!typed) return [];
    const relations = Object.keys(names.relations);
    const asked = relations.filter((name) => editor.value.includes(name));
    const columns = [...new Set((asked.length ? asked : relations.filter((name) => name.startsWith("report."))).flatMap((name) => names.relations[name]))];
    const fits = (name) => name.toLowerCase().startsWith(typed) || (!typed.includes(".") && name.split(".")[1]?.toLowerCase().startsWith(typed));
    return [...columns, ...relations, ...keywords].filter((name) => fits(name) && name !== word()).slice(0, 10);
  }

  function put(name) {
    const end = editor.selectionStart, start = end - word().length;
    editor.setRangeText(name, start, end, "end");
    editor.painted?.();
    editor.focus();
    show();
  }

  function show() {
    list.replaceChildren(...fitting().map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", () => put(name));
      return button;
    }));
    list.hidden = !list.childElementCount;
  }

  editor.addEventListener("focus", read, { once: true });
  editor.addEventListener("input", async () => { await read(); show(); });
  editor.addEventListener("keydown", async (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); editor.form.requestSubmit(); }
    if (event.key === " " && event.ctrlKey) { event.preventDefault(); await read(); const [first] = fitting(); if (first) put(first); }
    if (event.key === "Escape") list.hidden = true;
  });
}
