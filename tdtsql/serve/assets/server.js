"use strict";
// Colours of SQL. Every page works without it.

document.addEventListener("DOMContentLoaded", () => {
  const editor = document.getElementById("q");
  if (editor) paintEditor(editor);
  for (const block of document.querySelectorAll("pre.sql")) block.replaceChildren(...painted(block.textContent));
  // fields that say nothing do not lengthen the address
  for (const form of document.forms) {
    form.addEventListener("submit", () => {
      for (const field of form.elements) if (field.name && field.value === "" && !field.required) field.disabled = true;
    });
  }
});
window.addEventListener("pageshow", () => { for (const form of document.forms) for (const field of form.elements) field.disabled = false; });

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
  editor.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); editor.form.requestSubmit(); }
  });
  paint();
}
