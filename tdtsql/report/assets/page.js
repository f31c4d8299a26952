"use strict";
// The report's behaviour: choice of condition, sortable tables, one click to the SQL behind a number. Needs no network.
// Data and charts travel as gzip in base64 (element #data); the static part above works without this script.

(async () => {
  const report = await unpack(document.getElementById("data").textContent);
  const $ = (selector, root = document) => root.querySelector(selector);

  // ---------------------------------------------------------------- numbers

  const boards = report.boards;
  const runName = (run) => report.runs[run].id;
  const short = (value, digits = 4) => value == null ? "–" : Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value)
    : Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 10 ** -digits) ? value.toExponential(3) : value.toFixed(digits);

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
  const announce = (text) => { $("#live").textContent = text; };

  function select(id, label, options, value, change) {
    const box = element("select", { id, onchange: (event) => change(event.target.value) },
      ...options.map(([key, text]) => element("option", { value: key, selected: String(key) === String(value) }, text)));
    return element("label", {}, label, box);
  }
  // A table that sorts by its headers; columns: {label, number, get(row), cell(row)}
  function sortable(host, { caption, columns, rows, start = null, limit = Infinity, tall = true, label }) {
    let order = start;
    let shown = limit;
    const body = element("tbody");
    const heads = columns.map((column, index) => element("th", { scope: "col", class: column.number ? "number" : null },
      element("button", { type: "button", onclick: () => sort(index) }, column.label)));
    const table = element("table", {}, caption ? element("caption", {}, caption) : null, element("thead", {}, element("tr", {}, ...heads)), body);
    body.addEventListener("keydown", (event) => {
      const move = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
      const from = event.target.closest("button.value")?.parentElement;
      if (!move || !from) return;
      const to = body.rows[from.parentElement.rowIndex - 1 + move[0]]?.cells[from.cellIndex + move[1]]?.querySelector("button.value");
      if (!to) return;
      event.preventDefault();
      event.target.tabIndex = -1;
      to.tabIndex = 0;
      to.focus();
    });
    const more = element("p", { class: "screen" });
    const box = element("div", { class: tall ? "scroll tall" : "scroll", tabindex: "0", role: "region", "aria-label": label || caption }, table);
    fill(host, box, more);
    draw();
    function sort(index) {
      const { number, best } = columns[index]; // the best first, where there is a best
      const descending = order && order.index === index ? !order.descending : best === "lowest" ? false : Boolean(number);
      order = { index, descending };
      announce(`sorted by ${columns[index].label}, ${descending ? "descending" : "ascending"}`);
      draw();
    }
    function draw() {
      heads.forEach((head, index) => order && order.index === index
        ? head.setAttribute("aria-sort", order.descending ? "descending" : "ascending") : head.removeAttribute("aria-sort"));
      const sorted = rows.slice();
      if (order) {
        const { get } = columns[order.index];
        const sign = order.descending ? -1 : 1;
        sorted.sort((one, other) => {
          const a = get(one), b = get(other);
          if (a == null || b == null) return (a == null) - (b == null); // undefined last, either way
          return a < b ? -sign : a > b ? sign : 0;
        });
      }
      fill(body, ...sorted.slice(0, shown).map((row) => element("tr", {}, ...columns.map((column, index) => {
        const content = column.cell ? column.cell(row) : column.number ? short(column.get(row)) : String(column.get(row) ?? "–");
        return index === 0 ? element("th", { scope: "row" }, content)
          : element("td", { class: [column.number && "number", column.wide && "wide"].filter(Boolean).join(" ") || null }, content);
      }))));
      body.querySelectorAll("button.value").forEach((button, index) => { button.tabIndex = index ? -1 : 0; }); // one stop for Tab; arrow keys do the rest
      const rest = sorted.length - Math.min(shown, sorted.length);
      fill(more, ...(rest ? [element("button", { class: "plain", type: "button", onclick: () => { shown = Infinity; draw(); } }, `Show the other ${rest} rows`)] : []));
    }
  }

  // ---------------------------------------------------------------- one click to the recipe

  const dialog = $("#recipe");
  function recipe({ title, facts, signature, relation, command }) {
    const source = report.relations[relation];
    fill(dialog,
      element("div", { class: "head" }, element("h2", { id: "recipe-title" }, title),
        element("button", { class: "plain", type: "button", onclick: () => dialog.close() }, "Close")),
      element("dl", {}, ...facts.filter(([, value]) => value != null && value !== "").flatMap(([key, value]) => [element("dt", {}, key), element("dd", {}, String(value))])),
      ...(signature ? [element("h3", {}, "Signature"), element("pre", { class: "signature", id: "recipe-signature" }, signature)] : []),
      ...(command ? [element("h3", {}, "To see how it came about"), element("pre", {}, command)] : []),
      ...(source ? [element("h3", {}, `SQL: ${relation}`),
        element("p", { class: "soft" }, source.title),
        ...(source.formula ? [element("pre", { id: "recipe-formula" }, source.formula)] : []),
        ...(source.source ? [element("p", {}, `Source: ${source.source.replace(/\s+/g, " ")}`)] : []),
        element("pre", { id: "recipe-sql", tabindex: "0" }, source.sql),
        ...(source.reads.length ? [element("details", {}, element("summary", {}, `It reads ${source.reads.length} ${source.reads.length === 1 ? "relation" : "relations"}`),
          ...source.reads.map((name) => report.relations[name] ? element("details", {}, element("summary", {}, name),
            element("pre", {}, report.relations[name].sql)) : element("p", {}, name)))] : [])] : []));
    dialog.setAttribute("aria-labelledby", "recipe-title");
    dialog.showModal();
  }
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  // as a shell takes it; the store by its name, for where it lies the page does not know
  const word = (text) => /^[\w.\/:@%+=-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
  function explainCommand(run, at, metric, block) {
    const store = Object.fromEntries(report.facts).store;
    return ["tdtsql explain", word(runName(run)), metric, ...(block == null ? [] : [word(block)]), "--condition", word(boards[at].condition),
      "--profile", word(boards[at].profile), ...(store && store !== "in memory" ? ["--db", word(store)] : [])].join(" ");
  }

  const scores = unfold(report.scores);
  const signatureOf = (row) => `${row.metric}:${row.version}|w:${row.weighting}|profile:${boards[row.board].profile}|subset:${row.subset}|${row.weighting.startsWith("topic") ? "topics" : "n"}:${row.n}${row.tail}`;
  function openScore(index) {
    const row = scores[index];
    recipe({
      title: `${row.metric} of ${runName(row.run)}`,
      facts: [["value", row.value == null ? `undefined: ${row.null_reason}` : row.value], ["n", row.n], ["weighting", row.weighting], ["subset", row.subset],
        ["condition", boards[row.board].condition], ["profile", boards[row.board].profile], ["meaning", report.metrics[row.metric]]],
      signature: signatureOf(row), relation: row.relation,
      command: row.subset === "all" ? explainCommand(row.run, row.board, row.metric) : null,
    });
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-score]");
    if (button) openScore(Number(button.dataset.score));
  });
  const valueButton = (text, open, label) => element("button", { class: "value", type: "button", onclick: open, "aria-label": label }, text);

  // ---------------------------------------------------------------- state

  const shownBoards = boards.map((_, i) => i).filter((i) => boards[i].runs.length); // the page of one team has boards without its runs
  const state = { board: shownBoards[0] ?? 0, hidden: new Set(), weighting: null, subset: "all", metric: null };
  const board = () => boards[state.board];
  const charts = () => report.charts[state.board];
  const visible = () => board().runs.filter((run) => !state.hidden.has(run));
  // markup that the server made: everything from a store is escaped in it
  function put(host, markup) {
    host.innerHTML = markup;
    hideRuns();
  }
  function hideRuns() {
    const names = new Set([...state.hidden].map(runName));
    document.querySelectorAll("#det-chart [data-run], #tau-charts [data-run], #score-charts [data-run]").forEach((part) => { part.style.display = names.has(part.dataset.run) ? "none" : ""; });
  }

  // drawings of one run are made when they are opened
  function openScores(details) {
    const host = $("[data-scores]", details);
    if (host && details.open && !host.firstChild) put(host, report.trial_scores[Number(host.dataset.scores)]);
  }
  document.querySelectorAll("#attributes details").forEach((details) => {
    openScores(details);
    details.addEventListener("toggle", () => openScores(details));
  });

  function drawAll() {
    state.metric = null;
    for (const [id, name] of [["score-charts", "scores"], ["tau-charts", "tau"], ["hierarchy-chart", "hierarchy"]]) {
      if (!$(`#${id}`)) continue;
      $(`#${id}`).closest("section").hidden = !charts()[name];
      put($(`#${id}`), charts()[name] ?? "");
    }
    drawLegend(); drawDet(); drawTopics(); drawScores();
    // what was written for each board shows the chosen one; a section without it is hidden
    for (const section of document.querySelectorAll("main section")) {
      const parts = [...section.querySelectorAll("[data-board], [data-condition]")];
      parts.forEach(({ dataset }, i) => { parts[i].hidden = dataset.condition ? dataset.condition !== board().condition : Number(dataset.board) !== state.board; });
      if (parts.length) section.hidden = parts.every((part) => part.hidden);
    }
    document.querySelectorAll("nav a").forEach((link) => { link.parentElement.hidden = $(link.hash).hidden; });
    document.querySelectorAll(".scope").forEach((part) => { part.textContent = `${board().condition} · ${board().profile}`; });
  }

  fill($("#choose"), ...(shownBoards.length > 1 ? [select("board", "Condition and profile", shownBoards.map((i) => [i, `${boards[i].condition} · ${boards[i].profile}`]), state.board,
    (value) => { state.board = Number(value); state.subset = "all"; drawAll(); })] : []));

  function drawLegend() {
    for (const host of document.querySelectorAll("ul.legend")) {
      fill(host, ...board().runs.map((run) => {
        const box = element("input", { type: "checkbox", "data-run": run, checked: !state.hidden.has(run), onchange: (event) => {
          event.target.checked ? state.hidden.delete(run) : state.hidden.add(run);
          announce(`${runName(run)} ${event.target.checked ? "shown" : "hidden"}`);
          document.querySelectorAll(`ul.legend input[data-run="${run}"]`).forEach((other) => { other.checked = event.target.checked; });
          hideRuns(); drawTopics();
        } });
        const label = element("label", {}, box);
        label.insertAdjacentHTML("beforeend", report.swatches[run] ?? "");
        label.append(runName(run));
        return element("li", {}, label);
      }));
    }
  }

  // ---------------------------------------------------------------- DET curves

  function drawDet() {
    const all = charts().det, keys = Object.keys(all).map((key) => key.split("|"));
    if (!$("#det")) return;
    $("#det").hidden = !keys.length;
    if (!keys.length) return;
    const weightings = report.weightings[state.board], subsets = [...new Set(keys.map(([, ...subset]) => subset.join("|")))];
    if (!subsets.includes(state.subset)) state.subset = subsets[0];
    if (!weightings.some(([weighting]) => weighting === state.weighting)) state.weighting = weightings[0][0];
    fill($("#det-controls"),
      select("det-weighting", "Weighting", weightings, state.weighting,
        (value) => { state.weighting = value; drawDet(); }),
      select("det-subset", "Subset", subsets.map((s) => [s, s]), state.subset, (value) => { state.subset = value; drawDet(); }),
      element("button", { class: "plain", type: "button", id: "det-recipe", onclick: () => recipe({ title: "DET curves", facts: [["condition", board().condition], ["profile", board().profile], ["thinned", "to what a screen can tell apart; `tdtsql score RUN --curve` has every corner"]], relation: report.det_relation }) }, "SQL"));
    const host = $("#det-chart");
    put(host, all[`${state.weighting}|${state.subset}`] ?? "");
    sortable($("#det-points"), { label: "Points of the curves", tall: true, limit: 300,
      columns: [{ label: "run", get: (row) => row.run }, ...["threshold", "fa", "miss"].map((key) => ({ label: { threshold: "threshold", fa: "p_fa", miss: "p_miss" }[key], number: true, get: (row) => Number(row[key]), cell: (row) => String(row[key]) }))],
      rows: tdtsql.curvesOf(host).flatMap(({ run, points }) => points.map((point) => ({ run, ...point }))) });
  }

  // ---------------------------------------------------------------- topics

  const blocksOf = () => report.blocks[state.board];
  const topicWord = () => report.topic[state.board];
  function chooseMetric() {
    const blocks = blocksOf();
    const ids = Object.keys(blocks.metrics);
    if (!ids.includes(state.metric)) state.metric = ids.includes(board().metric) ? board().metric : ids[0];
    return select("topic-metric", "Metric", ids.map((id) => [id, id]), state.metric, (value) => { state.metric = value; drawTopics(); });
  }
  function openBlock(run, block, metric) {
    const entry = blocksOf().metrics[metric];
    recipe({ title: `${metric} of ${runName(run)} on ${blocksOf().blocks[block]}`,
      facts: [["value", entry.values[run][block] ?? "undefined"], ["condition", board().condition], ["profile", board().profile], ["meaning", report.metrics[metric]]],
      signature: entry.signature?.[run]?.replace("|sql:", () => `|block:${blocksOf().blocks[block]}|sql:`), relation: entry.relation,
      command: explainCommand(run, state.board, metric, blocksOf().blocks[block]) });
  }
  let filterText = "";
  function drawTopics() {
    const blocks = blocksOf();
    if (!$("#topics")) return;
    $("#topics").hidden = $("#heat").hidden = !blocks || !blocks.blocks.length;
    if ($("#topics").hidden) return;
    const chooser = chooseMetric();
    const search = element("input", { type: "search", id: "topic-filter", placeholder: "part of an id", value: filterText, oninput: (event) => { filterText = event.target.value; announce(`${table()} of ${rows.length} ${topicWord()}s`); } });
    fill($("#topic-controls"), chooser, element("label", {}, `Filter ${topicWord()}s`, search));
    const { values } = blocks.metrics[state.metric];
    const runs = visible().filter((run) => values[run]);
    const best = board().direction[state.metric];
    const rows = blocks.blocks.map((id, index) => {
      const numbers = runs.map((run) => values[run][index]).filter((value) => value != null);
      return { id, index, mean: numbers.length ? numbers.reduce((sum, value) => sum + value, 0) / numbers.length : null, spread: numbers.length ? Math.max(...numbers) - Math.min(...numbers) : null,
        best: numbers.every((value) => value === numbers[0]) || best === "none" ? null : best === "highest" ? Math.max(...numbers) : Math.min(...numbers) };
    });
    function table() {
      const found = rows.filter((row) => row.id.toLowerCase().includes(filterText.toLowerCase()));
      sortable($("#topic-table"), { caption: `${found.length} of ${rows.length} ${topicWord()}s, ${state.metric}; the best value of each is bold`, label: `Numbers per ${topicWord()}`,
        columns: [{ label: topicWord(), get: (row) => row.id }, { label: "mean", number: true, best, get: (row) => row.mean }, { label: "spread", number: true, get: (row) => row.spread },
          ...runs.map((run) => ({ label: runName(run), number: true, best, get: (row) => values[run][row.index],
            cell: (row) => { const value = values[run][row.index]; const button = valueButton(short(value), () => openBlock(run, row.index, state.metric)); if (value != null && value === row.best) button.classList.add("best"); return button; } }))],
        rows: found });
      return found.length;
    }
    table();
    put($("#heat-chart"), charts().heat[state.metric] ?? "");
  }
  function cellOf(event) {
    const cell = event.target.closest?.("rect[data-topic]");
    return cell && { run: board().runs.find((at) => runName(at) === cell.parentElement.dataset.run), topic: Number(cell.dataset.topic) };
  }
  $("#heat-chart")?.addEventListener("click", (event) => { const cell = cellOf(event); if (cell) openBlock(cell.run, cell.topic, state.metric); });
  $("#heat-chart")?.addEventListener("pointermove", (event) => {
    const cell = cellOf(event);
    if (!cell) return tdtsql.hideTip();
    tdtsql.showTip(event.clientX, event.clientY, [`${runName(cell.run)} on ${blocksOf().blocks[cell.topic]}`, `${state.metric} ${short(blocksOf().metrics[state.metric].values[cell.run][cell.topic])}`]);
  });
  $("#heat-chart")?.addEventListener("pointerleave", tdtsql.hideTip);

  // ---------------------------------------------------------------- all numbers

  let scoreFilter = "";
  function drawScores() {
    const mine = scores.map((row, index) => ({ ...row, index })).filter((row) => row.board === state.board);
    fill($("#number-controls"), element("label", {}, "Filter (run, metric, subset, weighting)", element("input", { type: "search", id: "number-filter", value: scoreFilter, placeholder: `${board().metric} all`, oninput: (event) => { scoreFilter = event.target.value; table(); } })));
    function table() {
      const words = scoreFilter.toLowerCase().split(/\s+/).filter(Boolean);
      const found = mine.filter((row) => { const text = `${runName(row.run)} ${row.metric} ${row.subset} ${row.weighting}`.toLowerCase(); return words.every((word) => text.includes(word)); });
      sortable($("#number-table"), { caption: `${found.length} of ${mine.length} numbers; click one for its signature and SQL`, label: "All numbers", limit: 200, rows: found,
        columns: [{ label: "run", get: (row) => runName(row.run) }, { label: "metric", get: (row) => row.metric }, { label: "subset", get: (row) => row.subset }, { label: "weighting", get: (row) => row.weighting },
          { label: "value", number: true, get: (row) => row.value, cell: (row) => valueButton(short(row.value, 6), () => openScore(row.index)) }, { label: "n", number: true, get: (row) => row.n }] });
    }
    table();
  }

  // ---------------------------------------------------------------- problems, start

  if ($("#problem-table")) sortable($("#problem-table"), { label: "Problems found while loading", tall: true, limit: 200, rows: report.problems,
    columns: [{ label: "code", get: (row) => row.code }, { label: "of", get: (row) => row.owner }, { label: "place", get: (row) => row.place }, { label: "what is wrong", wide: true, get: (row) => row.message }] });

  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (!entry.isIntersecting) return;
    links.forEach((link) => link.removeAttribute("aria-current"));
    links.get(entry.target.id)?.setAttribute("aria-current", "true");
  }), { rootMargin: "-20% 0px -70% 0px" });
  document.querySelectorAll("main section").forEach((section) => watch.observe(section));

  drawAll();
  window.tdtsqlReport = { ready: true };

  // ---------------------------------------------------------------- unpacking

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }
  // columns back to rows
  function unfold(table) {
    const names = Object.keys(table), size = names.length ? table[names[0]].length : 0;
    return Array.from({ length: size }, (_, i) => Object.fromEntries(names.map((name) => [name, table[name][i]])));
  }
})();
