"use strict";
// What a page can do besides being read: colours, and names in the editor. Every page works without it.

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const themes = ["auto", "light", "dark"];
let theme = "auto";
try { theme = themes.includes(localStorage.getItem("tdtsql-colours")) ? localStorage.getItem("tdtsql-colours") : "auto"; } catch { /* a browser that keeps nothing */ }

function applyTheme() {
  document.documentElement.dataset.theme = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
  const button = document.getElementById("theme");
  if (button) { button.textContent = `Colours: ${theme}`; button.hidden = false; }
}
applyTheme(); // before anything is drawn
dark.addEventListener("change", applyTheme);

document.addEventListener("DOMContentLoaded", () => {
  applyTheme();
  document.getElementById("theme").addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try { localStorage.setItem("tdtsql-colours", theme); } catch { /* kept for this page only */ }
    applyTheme();
  });
  const editor = document.getElementById("q");
  if (editor) completeNames(editor, document.getElementById("complete"));
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

function completeNames(editor, list) {
  let names = null;
  const read = async () => { names ??= await (await fetch("/names.json")).json(); };
  const word = () => editor.value.slice(0, editor.selectionStart).match(/[\w.]*$/)[0];

  function fitting() {
    const typed = word().toLowerCase();
    if (!typed || !names) return [];
    const relations = Object.keys(names);
    const asked = relations.filter((name) => editor.value.includes(name));
    const columns = [...new Set((asked.length ? asked : relations.filter((name) => name.startsWith("report."))).flatMap((name) => names[name]))];
    const fits = (name) => name.toLowerCase().startsWith(typed) || (!typed.includes(".") && name.split(".")[1]?.toLowerCase().startsWith(typed));
    return [...columns, ...relations, ...keywords].filter((name) => fits(name) && name !== word()).slice(0, 10);
  }

  function put(name) {
    const end = editor.selectionStart, start = end - word().length;
    editor.setRangeText(name, start, end, "end");
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
