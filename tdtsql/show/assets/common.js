"use strict";
// What report and web UI share: light and dark, tables that sort and filter, legends that switch series off. All pages
// show their content without it.

const tdtsql = (() => {
  const $ = (selector, root = document) => root.querySelector(selector);

  // ---------------------------------------------------------------- light and dark

  const themes = ["auto", "light", "dark"];
  let theme = "auto";
  try { theme = themes.includes(localStorage.getItem("tdtsql-colours")) ? localStorage.getItem("tdtsql-colours") : "auto"; } catch { /* no storage */ }
  const root = document.documentElement;
  function applyTheme() {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme; // auto: the style sheet asks the browser
    const button = $("#theme");
    if (button) { button.textContent = `Colours: ${theme}`; button.hidden = false; }
  }
  applyTheme();
  document.addEventListener("DOMContentLoaded", () => {
    applyTheme();
    $("#theme")?.addEventListener("click", () => {
      theme = themes[(themes.indexOf(theme) + 1) % 3];
      try { localStorage.setItem("tdtsql-colours", theme); } catch { /* for this page only */ }
      applyTheme();
    });
  });

  // ---------------------------------------------------------------- small helpers

  function element(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (value === true) node.setAttribute(key, "");
      else if (value != null && value !== false) node.setAttribute(key, value);
    }
    node.append(...children.filter((child) => child != null));
    return node;
  }
  const fill = (node, ...children) => { node.replaceChildren(...children); return node; };
  const announce = (text) => { const live = $("#live"); if (live) live.textContent = text; };
  const short = (value, digits = 4) => typeof value !== "number" ? String(value ?? "–")
    : Number.isInteger(value) && Math.abs(value) < 1e15 ? value.toLocaleString("en-US")
    : Math.abs(value) >= 1e5 || Math.abs(value) < 10 ** -digits ? value.toExponential(3) : value.toFixed(digits);
  function select(label, options, value, change) {
    const box = element("select", { onchange: (event) => change(event.target.value) },
      ...options.map(([key, text]) => element("option", { value: key, selected: String(key) === String(value) }, text)));
    return element("label", {}, label, box);
  }

  // ---------------------------------------------------------------- tables

  // A table of data that sorts by its heads and filters; grid: heads, rows, best, numbers, values, facts, signatures (by their parts). labels: what heads show that is not their name.
  function table(grid, label, labels = {}, limit = 200) {
    let order = null, words = [], shown = limit;
    const signature = (at) => grid.signatures?.map((parts) => parts[at]).filter((part) => part != null).join("|");
    const lines = grid.rows.map((row, at) => ({ row, best: grid.best[at] ?? [], at }));
    const body = element("tbody");
    const isNumber = (at) => grid.numbers[at] === "r";
    const heads = grid.heads.map((name, at) => element("th", { scope: "col", class: isNumber(at) ? "number" : null, "data-name": labels[name] && name },
      element("button", { type: "button", onclick: () => sort(at) }, labels[name] ?? name)));
    const box = element("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": label },
      element("table", { class: "grid" }, element("caption", { class: "visually-hidden" }, label), element("thead", {}, element("tr", {}, ...heads)), body));
    const more = element("p", { class: "screen" });
    const filter = lines.length > 12 ? element("label", { class: "filter screen" }, "Filter", element("input", { type: "search", oninput: (event) => {
      words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
      announce(`${draw()} of ${lines.length} rows`);
    } })) : null;
    function sort(at) {
      const descending = order?.at === at ? !order.descending : isNumber(at) && !lowIsBest(at);
      order = { at, descending };
      announce(`sorted by ${grid.heads[at]}, ${descending ? "descending" : "ascending"}`);
      draw();
    }
    // the best first, where a number of the column is best
    function lowIsBest(at) {
      const line = lines.find(({ best }) => best.includes(at));
      return line && grid.values.some((place) => line.row[place] != null && line.row[place] > line.row[at]);
    }
    function draw() {
      heads.forEach((node, at) => order?.at === at ? node.setAttribute("aria-sort", order.descending ? "descending" : "ascending") : node.removeAttribute("aria-sort"));
      let found = lines.filter(({ row }) => { const text = row.filter((value) => typeof value !== "number").join(" ").toLowerCase(); return words.every((word) => text.includes(word)); });
      if (order) {
        const sign = order.descending ? -1 : 1;
        found = found.slice().sort(({ row: one }, { row: other }) => {
          const a = one[order.at], b = other[order.at];
          if (a == null || b == null) return (a == null) - (b == null); // undefined last, either way
          return a < b ? -sign : a > b ? sign : 0;
        });
      }
      fill(body, ...found.slice(0, shown).map(({ row, best, at: number }) => element("tr", { "data-signature": signature(number) }, ...row.map((value, at) => at === 0 ? element("th", { scope: "row" }, short(value))
        : element("td", { class: isNumber(at) ? "number" : typeof value === "string" && value.length > 60 ? "wide" : null }, grid.values.includes(at) && value != null
          ? element("button", { class: best.includes(at) ? "value best" : "value", type: "button", "data-value": value }, short(value)) : short(value))))));
      const rest = found.length - Math.min(shown, found.length);
      fill(more, ...(rest ? [element("button", { class: "plain", type: "button", onclick: () => { shown = Infinity; draw(); } }, `Show the other ${rest.toLocaleString("en-US")} rows`)] : []));
      oneStop(body);
      return found.length;
    }
    box.grid = grid;
    draw();
    return element("div", {}, filter, box, more);
  }
  // numbers of a table are one stop for the tabulator key; arrow keys do the rest
  function oneStop(body) {
    body.querySelectorAll("button.value").forEach((button, at) => { button.tabIndex = at ? -1 : 0; });
  }
  document.addEventListener("keydown", (event) => {
    const move = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const from = event.target.closest?.("button.value")?.parentElement;
    if (!move || !from) return;
    const to = from.closest("table").rows[from.parentElement.rowIndex + move[0]]?.cells[from.cellIndex + move[1]]?.querySelector("button.value");
    if (!to) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });
  // What is known of the number of a button: facts of its table, heads and cells of its row.
  function factsOf(button) {
    const cell = button.closest("td"), row = cell.parentElement, box = cell.closest("table");
    const grid = cell.closest(".scroll").grid;
    const heads = [...box.tHead.rows[0].cells].map((node) => node.dataset.name ?? node.textContent);
    const { row: first, column, ...facts } = { ...(grid?.facts ?? JSON.parse(box.dataset.facts ?? "{}")) };
    if (column) Object.assign(facts, { [first]: row.cells[0].textContent, [column]: heads[cell.cellIndex] });
    else heads.forEach((name, at) => { if (at !== cell.cellIndex) facts[name === "run" ? "run_id" : name] = row.cells[at].textContent; });
    return { ...facts, value: button.dataset.value, signature: row.dataset.signature };
  }

  // ---------------------------------------------------------------- series that are switched off

  const hidden = new Set();
  function hideSeries(host = document) {
    host.querySelectorAll("svg [data-run], figure[data-run]").forEach((part) => { part.style.display = hidden.has(part.dataset.run) ? "none" : ""; });
    host.querySelectorAll("input[data-run]").forEach((box) => { box.checked = !hidden.has(box.dataset.run); });
  }
  document.addEventListener("change", ({ target }) => {
    if (!target.matches?.("input[data-run]")) return;
    target.checked ? hidden.delete(target.dataset.run) : hidden.add(target.dataset.run);
    announce(`${target.dataset.run} ${target.checked ? "shown" : "hidden"}`);
    hideSeries();
  });
  return { $, element, fill, announce, select, short, table, factsOf, hideSeries, oneStop };
})();
