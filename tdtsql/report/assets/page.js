"use strict";
// The report's behaviour. The page is complete without a network: data, library and styles are inside.
// Data travels as gzip in base64 (element #data); the static part above works without this script.

(async () => {
  const report = await unpack(document.getElementById("data").textContent);
  const $ = (selector, root = document) => root.querySelector(selector);

  // ---------------------------------------------------------------- colours, numbers

  const COLOURS = 7;
  const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
  const boards = report.boards;
  const styleOf = new Map(); // "board run" -> {colour, dash}: told apart by dash where colours repeat
  boards.forEach((board) => board.runs.forEach((run, index) => {
    styleOf.set(run, { colour: `var(--c${index % COLOURS})`, dash: DASHES[Math.floor(index / COLOURS) % DASHES.length] });
  }));
  const runName = (run) => report.runs[run].id;
  const short = (value, digits = 4) => value == null ? "–" : Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value)
    : Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 10 ** -digits) ? value.toExponential(3) : value.toFixed(digits);
  const percent = (p) => `${+(100 * p).toPrecision(3)} %`;

  // normal deviate of a probability: P. Acklam's rational approximation, relative error below 1.2e-9
  function probit(p) {
    if (p <= 0) return -Infinity;
    if (p >= 1) return Infinity;
    const a = [-3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.383577518672690e2, -3.066479806614716e1, 2.506628277459239];
    const b = [-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1];
    const c = [-7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783];
    const d = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416];
    const tail = (q) => (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) / ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    if (p < 0.02425) return tail(Math.sqrt(-2 * Math.log(p)));
    if (p > 1 - 0.02425) return -tail(Math.sqrt(-2 * Math.log(1 - p)));
    const q = p - 0.5, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q / (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
  }

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

  const tip = $("#tip");
  function showTip(event, lines) {
    fill(tip, ...lines.map((line) => element("div", {}, line)));
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(6, Math.min(event.clientX + 14, innerWidth - box.width - 8))}px`;
    tip.style.top = `${Math.max(6, Math.min(event.clientY + 14, innerHeight - box.height - 8))}px`;
  }
  const hideTip = () => { tip.hidden = true; };

  function select(id, label, options, value, change) {
    const box = element("select", { id, onchange: (event) => change(event.target.value) },
      ...options.map(([key, text]) => element("option", { value: key, selected: String(key) === String(value) }, text)));
    return element("label", {}, label, box);
  }
  function tick(id, label, value, change) {
    return element("label", { class: "inline" },
      element("input", { type: "checkbox", id, checked: value, onchange: (event) => change(event.target.checked) }), label);
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
  function openScore(index) {
    const row = scores[index];
    recipe({
      title: `${row.metric} of ${runName(row.run)}`,
      facts: [["value", row.value == null ? "undefined" : row.value], ["n", row.n], ["weighting", row.weighting], ["subset", row.subset],
        ["condition", boards[row.board].condition], ["profile", boards[row.board].profile], ["meaning", report.metrics[row.metric]]],
      signature: row.signature, relation: row.relation,
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
  const state = { board: shownBoards[0] ?? 0, hidden: new Set(), weighting: "topic", subset: "all", band: null, iso: true, metric: null };
  const board = () => boards[state.board];
  const visible = () => board().runs.filter((run) => !state.hidden.has(run));

  function drawAll() {
    state.metric = null;
    drawLegend(); drawDet(); drawTopics(); drawHeat(); drawHistograms(); drawTau(); drawHierarchy(); drawScores();
    // what was written for each board shows the chosen one; a section without it is hidden
    for (const section of document.querySelectorAll("main section")) {
      const parts = [...section.querySelectorAll("[data-board]")];
      parts.forEach((part) => { part.hidden = Number(part.dataset.board) !== state.board; });
      if (parts.length) section.hidden = parts.every((part) => part.hidden);
    }
    document.querySelectorAll("nav a").forEach((link) => { link.parentElement.hidden = $(link.hash).hidden; });
  }
  function drawRuns() { drawLegend(); drawDet(); drawTopics(); drawHeat(); drawHistograms(); drawTau(); }

  fill($("#choose"), ...(shownBoards.length > 1 ? [select("board", "Condition and profile", shownBoards.map((i) => [i, `${boards[i].condition} · ${boards[i].profile}`]), state.board,
    (value) => { state.board = Number(value); state.subset = "all"; state.metric = null; drawAll(); })] : []));

  function drawLegend() {
    for (const host of document.querySelectorAll("ul.legend")) {
      const focused = host.contains(document.activeElement) ? document.activeElement.dataset.run : null;
      fill(host, ...board().runs.map((run) => {
        const style = styleOf.get(run);
        const box = element("input", { type: "checkbox", "data-run": run, checked: !state.hidden.has(run), onchange: (event) => {
          event.target.checked ? state.hidden.delete(run) : state.hidden.add(run);
          announce(`${runName(run)} ${event.target.checked ? "shown" : "hidden"}`);
          drawRuns();
        } });
        const swatch = d3.create("svg").attr("viewBox", "0 0 34 12").attr("aria-hidden", "true");
        swatch.append("line").attr("x1", 1).attr("x2", 33).attr("y1", 6).attr("y2", 6).attr("stroke-width", 2.5)
          .style("stroke", style.colour).attr("stroke-dasharray", style.dash);
        return element("li", {}, element("label", {}, box, swatch.node(), runName(run)));
      }), element("li", {}, element("button", { class: "plain screen", type: "button", onclick: () => { state.hidden.clear(); drawRuns(); } }, "All"),
        " ", element("button", { class: "plain screen", type: "button", onclick: () => { board().runs.forEach((run) => state.hidden.add(run)); drawRuns(); } }, "None")));
      if (focused) host.querySelector(`input[data-run="${focused}"]`)?.focus();
    }
  }

  // ---------------------------------------------------------------- DET curves

  const TICKS = [1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999];
  const tickText = (p) => `${+(100 * p).toPrecision(3)}`;

  // From a tick below all values to one above; each end stays within the two limits given for it.
  function range(values, [lowest, low], [high, highest]) {
    const inside = values.filter((value) => value > 0 && value < 1);
    const least = Math.max(lowest, Math.min(low, d3.min(inside) ?? low)), most = Math.min(highest, Math.max(high, d3.max(inside) ?? high));
    return [d3.max(TICKS.filter((p) => p <= least)), d3.min(TICKS.filter((p) => p >= most))];
  }

  function drawDet() {
    const host = $("#det-chart"), section = $("#det");
    const all = report.det.filter((curve) => curve.board === state.board);
    section.hidden = !all.length;
    if (!all.length) return;
    const subsets = [...new Set(all.map((curve) => curve.subset))];
    if (!subsets.includes(state.subset)) state.subset = subsets[0];
    const weightings = [...new Set(all.map((curve) => curve.weighting))];
    if (!weightings.includes(state.weighting)) state.weighting = weightings[0];
    const shown = all.filter((curve) => curve.subset === state.subset && curve.weighting === state.weighting);
    const curves = shown.filter((curve) => !state.hidden.has(curve.run)).sort((a, b) => a.run - b.run);
    const bands = state.band ?? curves.length <= 4; // many bands hide each other; the box decides once it was used
    fill($("#det-controls"),
      select("det-weighting", "Weighting", weightings.map((w) => [w, w === "topic" ? "topic: every topic counts the same" : w === "story" ? "story: every trial counts the same" : w]), state.weighting,
        (value) => { state.weighting = value; drawDet(); }),
      select("det-subset", "Subset", subsets.map((s) => [s, s]), state.subset, (value) => { state.subset = value; drawDet(); }),
      tick("det-band", "confidence bands", bands, (value) => { state.band = value; drawDet(); }),
      tick("det-iso", "lines of equal cost", state.iso, (value) => { state.iso = value; drawDet(); }),
      element("button", { class: "plain", type: "button", id: "det-recipe", onclick: () => recipe({ title: "DET curves", facts: [["condition", board().condition], ["profile", board().profile], ["thinned", "to what a screen can tell apart; `tdtsql score RUN --curve` has every corner"]], relation: report.det_relation }) }, "SQL"));

    const width = Math.max(320, Math.min(host.clientWidth || 900, 960)), height = Math.round(Math.min(width * 0.8, 640));
    const margin = { top: 12, right: 18, bottom: 46, left: 56 };
    const [x0, x1] = range(shown.flatMap((curve) => curve.p_fa), [1e-4, 1e-3], [0.4, 0.9]);
    const [y0, y1] = range(shown.flatMap((curve) => curve.p_miss), [1e-3, 0.02], [0.9, 0.99]);
    const x = d3.scaleLinear([probit(x0), probit(x1)], [margin.left, width - margin.right]);
    const y = d3.scaleLinear([probit(y0), probit(y1)], [height - margin.bottom, margin.top]);
    const px = (p) => x(Math.max(-9, Math.min(9, probit(p)))), py = (p) => y(Math.max(-9, Math.min(9, probit(p))));

    const svg = d3.create("svg").attr("class", "chart").attr("viewBox", `0 0 ${width} ${height}`).attr("tabindex", 0)
      .attr("role", "img").attr("aria-label", `DET curves of ${curves.length} runs, ${state.weighting}-weighted, subset ${state.subset}. Arrow keys walk along a curve, up and down change the run.`);
    svg.style("max-width", `${width}px`);
    const axis = (scale, [from, to]) => TICKS.filter((p) => p >= from && p <= to).map((p) => ({ p, at: scale(probit(p)) }));
    const grid = svg.append("g").attr("class", "grid");
    const spread = (ticks, gap) => { let last = -1e9; return ticks.filter((t) => Math.abs(t.at - last) >= gap && (last = t.at, true)); };
    const xTicks = spread(axis(x, [x0, x1]), 34), yTicks = spread(axis(y, [y0, y1]), 20);
    grid.selectAll("line.x").data(xTicks).join("line").attr("x1", (t) => t.at).attr("x2", (t) => t.at).attr("y1", margin.top).attr("y2", height - margin.bottom);
    grid.selectAll("line.y").data(yTicks).join("line").attr("y1", (t) => t.at).attr("y2", (t) => t.at).attr("x1", margin.left).attr("x2", width - margin.right);
    svg.append("g").selectAll("text").data(xTicks).join("text").attr("class", "x-tick").attr("x", (t) => t.at).attr("y", height - margin.bottom + 16).attr("text-anchor", "middle").text((t) => tickText(t.p));
    svg.append("g").selectAll("text").data(yTicks).join("text").attr("class", "y-tick").attr("x", margin.left - 7).attr("y", (t) => t.at + 4).attr("text-anchor", "end").text((t) => tickText(t.p));
    svg.append("text").attr("class", "title").attr("x", (margin.left + width - margin.right) / 2).attr("y", height - 8).attr("text-anchor", "middle").text("false-alarm probability, %");
    svg.append("text").attr("class", "title").attr("transform", `translate(14 ${(margin.top + height - margin.bottom) / 2}) rotate(-90)`).attr("text-anchor", "middle").text("miss probability, %");

    const profile = board().cost;
    if (state.iso && profile) {
      const miss = profile.c_miss * profile.p_target, alarm = profile.c_fa * (1 - profile.p_target), norm = Math.min(miss, alarm);
      const lines = svg.append("g");
      for (const cost of [0.02, 0.05, 0.1, 0.2, 0.5, 1]) {
        const points = d3.range(161).map((i) => { const p = ndtr(probit(x0) + (probit(x1) - probit(x0)) * i / 160); return [p, (cost * norm - alarm * p) / miss]; })
          .filter(([, q]) => q > y0 && q < y1);
        if (points.length < 3) continue;
        lines.append("path").attr("class", "iso").attr("d", d3.line((d) => px(d[0]), (d) => py(d[1]))(points));
        lines.append("text").attr("class", "iso-label").attr("x", px(points[0][0]) + 4).attr("y", py(points[0][1]) - 3).text(`cost ${cost}`);
      }
    }

    svg.append("clipPath").attr("id", "det-frame").append("rect").attr("x", margin.left).attr("y", margin.top).attr("width", width - margin.left - margin.right).attr("height", height - margin.top - margin.bottom);
    const frame = svg.append("g").attr("clip-path", "url(#det-frame)");
    const half = profile?.band_z ?? 0; // band_z of the profile
    const widthNote = document.getElementById("det-band-width");
    if (widthNote) widthNote.textContent = half.toFixed(3);
    for (const curve of bands ? curves : []) {
      if (!curve.p_miss_se) continue;
      const points = d3.range(curve.p_miss.length).filter((i) => curve.p_miss_se[i] != null);
      frame.append("path").attr("class", "band").style("fill", styleOf.get(curve.run).colour)
        .attr("d", d3.area((i) => px(curve.p_fa[i]), (i) => py(Math.max(0, curve.p_miss[i] - half * curve.p_miss_se[i])), (i) => py(Math.min(1, curve.p_miss[i] + half * curve.p_miss_se[i])))(points));
    }
    const near = [];
    const inX = (value) => Math.max(margin.left, Math.min(width - margin.right, value)), inY = (value) => Math.max(margin.top, Math.min(height - margin.bottom, value));
    for (const curve of curves) {
      const style = styleOf.get(curve.run);
      const points = curve.p_miss.map((miss, i) => [px(curve.p_fa[i]), py(miss)]);
      frame.append("path").attr("class", "curve").attr("data-run", runName(curve.run)).style("stroke", style.colour).attr("stroke-dasharray", style.dash).attr("d", d3.line()(points));
      if (curve.hull) { // its sides are straight in probabilities, and bent here
        const sides = curve.hull.flatMap(([fa, miss], i) => i ? d3.range(1, 25).map((s) => { const [fa0, miss0] = curve.hull[i - 1]; return [px(fa0 + (fa - fa0) * s / 24), py(miss0 + (miss - miss0) * s / 24)]; }) : [[px(fa), py(miss)]]);
        frame.append("path").attr("class", "hull").attr("data-run", runName(curve.run)).style("fill", "none").style("stroke", style.colour).attr("stroke-width", 1).attr("stroke-dasharray", "1 3").attr("d", d3.line()(sides));
      }
      points.forEach((point, i) => near.push({ curve, i, x: inX(point[0]), y: inY(point[1]) }));
    }
    // the actual decision is a disc, the minimum of the cost a triangle
    for (const curve of curves) {
      const colour = styleOf.get(curve.run).colour;
      const mark = (point, symbol, name) => point && point.p_fa != null && point.p_miss != null && svg.append("path").attr("class", name).attr("data-run", runName(curve.run))
        .attr("transform", `translate(${inX(px(point.p_fa))} ${inY(py(point.p_miss))})`).attr("d", d3.symbol(symbol, 70)()).style("fill", name === "actual" ? colour : "var(--paper)").style("stroke", colour).attr("stroke-width", 1.8);
      mark(curve.minimum, d3.symbolTriangle, "minimum");
      mark(curve.actual, d3.symbolCircle, "actual");
    }

    const cursor = svg.append("circle").attr("class", "cursor").attr("r", 5).style("display", "none");
    const search = near.length ? d3.Delaunay.from(near, (d) => d.x, (d) => d.y) : null;
    const describe = ({ curve, i }) => [runName(curve.run), `threshold ${curve.threshold[i] == null ? "none" : short(curve.threshold[i], 5)}`,
      `miss ${percent(curve.p_miss[i])} · false alarm ${percent(curve.p_fa[i])}`, curve.cost && curve.cost[i] != null ? `normalised cost ${short(curve.cost[i])}` : ""].filter(Boolean);
    let current = null;
    const point = (found, event) => { current = found; cursor.style("display", null).attr("cx", found.x).attr("cy", found.y); showTip(event, describe(found)); };
    svg.on("pointermove", (event) => {
      if (!search) return;
      const [mx, my] = d3.pointer(event);
      const found = near[search.find(mx, my)];
      if (Math.hypot(found.x - mx, found.y - my) > 40) { hideTip(); cursor.style("display", "none"); return; }
      point(found, event);
    }).on("pointerleave blur", () => { hideTip(); cursor.style("display", "none"); })
      .on("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], turn = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!curves.length || (step == null && turn == null)) return;
        event.preventDefault();
        let next = current || { curve: curves[0], i: 0 };
        if (current && step != null) next = { curve: next.curve, i: Math.max(0, Math.min(next.curve.p_miss.length - 1, next.i + step)) };
        if (turn != null) { const curve = curves[(curves.indexOf(next.curve) + turn + curves.length) % curves.length]; next = { curve, i: Math.min(next.i, curve.p_miss.length - 1) }; }
        const found = near.find((d) => d.curve === next.curve && d.i === next.i);
        const box = svg.node().getBoundingClientRect();
        point(found, { clientX: box.left + found.x * box.width / width, clientY: box.top + found.y * box.height / height });
        announce(describe(found).join(", "));
      });
    fill(host, svg.node());

    sortable($("#det-points"), { label: "Points of the curves", tall: true, limit: 300,
      columns: [{ label: "run", get: (row) => runName(row.curve.run) }, ...[["threshold", "threshold"], ["p_fa", "p_fa"], ["p_miss", "p_miss"]].map(([label, key]) => ({ label, number: true, get: (row) => row.curve[key][row.i], cell: (row) => short(row.curve[key][row.i], 6) }))],
      rows: curves.flatMap((curve) => curve.p_miss.map((_, i) => ({ curve, i }))) });
  }

  function ndtr(z) { // normal distribution function, Zelen and Severo's formula 26.2.17: 7.5e-8 is enough to place an iso line
    const t = 1 / (1 + 0.2316419 * Math.abs(z));
    const tail = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return z > 0 ? 1 - tail : tail;
  }

  // ---------------------------------------------------------------- topics

  const blocksOf = () => report.blocks[state.board];
  function chooseMetric() {
    const blocks = blocksOf();
    const ids = Object.keys(blocks.metrics);
    if (!ids.includes(state.metric)) state.metric = ids.includes(board().metric) ? board().metric : ids[0];
    return select("topic-metric", "Metric", ids.map((id) => [id, id]), state.metric, (value) => { state.metric = value; drawTopics(); drawHeat(); });
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
    $("#topics").hidden = $("#heat").hidden = !blocks || !blocks.blocks.length;
    if ($("#topics").hidden) return;
    const chooser = chooseMetric();
    const search = element("input", { type: "search", id: "topic-filter", placeholder: "part of an id", value: filterText, oninput: (event) => { filterText = event.target.value; announce(`${table()} of ${rows.length} topics`); } });
    fill($("#topic-controls"), chooser, element("label", {}, "Filter topics", search));
    const { values } = blocks.metrics[state.metric];
    const runs = visible().filter((run) => values[run]);
    const best = board().direction[state.metric];
    const rows = blocks.blocks.map((id, index) => {
      const numbers = runs.map((run) => values[run][index]).filter((value) => value != null);
      return { id, index, mean: numbers.length ? d3.mean(numbers) : null, spread: numbers.length ? d3.max(numbers) - d3.min(numbers) : null,
        best: !numbers.length || best === "none" ? null : best === "highest" ? d3.max(numbers) : d3.min(numbers) };
    });
    function table() {
      const found = rows.filter((row) => row.id.toLowerCase().includes(filterText.toLowerCase()));
      sortable($("#topic-table"), { caption: `${found.length} of ${rows.length} topics, ${state.metric}; the best value of a topic is bold`, label: "Numbers per topic",
        columns: [{ label: "topic", get: (row) => row.id }, { label: "mean", number: true, best, get: (row) => row.mean }, { label: "spread", number: true, get: (row) => row.spread },
          ...runs.map((run) => ({ label: runName(run), number: true, best, get: (row) => values[run][row.index],
            cell: (row) => { const value = values[run][row.index]; const button = valueButton(short(value), () => openBlock(run, row.index, state.metric)); if (value != null && value === row.best) button.classList.add("best"); return button; } }))],
        rows: found });
      return found.length;
    }
    table();
  }

  // ---------------------------------------------------------------- heat map

  function drawHeat() {
    const blocks = blocksOf();
    if (!blocks || !blocks.blocks.length) return;
    const host = $("#heat-chart");
    const { values } = blocks.metrics[state.metric];
    const mean = (numbers) => { const defined = numbers.filter((value) => value != null); return defined.length ? d3.mean(defined) : Infinity; };
    const runs = visible().filter((run) => values[run]);
    const low = board().direction[state.metric] !== "highest"; // a metric without a better end is drawn as if low were good
    const topics = d3.range(blocks.blocks.length).map((index) => ({ index, mean: mean(runs.map((run) => values[run][index])) }));
    topics.sort((a, b) => (a.mean - b.mean || 0) || a.index - b.index);
    if (!low) topics.reverse();
    const rows = runs.slice().sort((a, b) => (mean(values[a]) - mean(values[b]) || 0) * (low ? 1 : -1) || a - b);
    const numbers = rows.flatMap((run) => values[run].filter((value) => value != null));
    const [least, most] = numbers.length ? d3.extent(numbers) : [0, 1];
    const ceiling = numbers.length ? Math.min(most, Math.max(d3.quantile(numbers.slice().sort(d3.ascending), 0.98), least + 1e-12)) : 1;
    const colour = d3.scaleSequential([least, ceiling], (t) => d3.interpolateCividis(low ? 1 - t : t)).clamp(true); // light is good
    const width = Math.max(320, host.clientWidth || 900);
    const left = Math.min(170, 20 + 6.6 * d3.max(rows.concat([0]), (run) => (report.runs[run] ? runName(run).length : 0)));
    const cell = { w: Math.min(28, (width - left - 8) / Math.max(topics.length, 1)), h: 20 };
    const height = rows.length * cell.h + 4;
    const svg = d3.create("svg").attr("class", "chart").attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img").attr("tabindex", 0)
      .attr("aria-label", `Heat map of ${state.metric}: ${rows.length} runs by ${topics.length} topics. The table above holds the same numbers. Arrow keys walk over the cells.`);
    svg.append("g").selectAll("text").data(rows).join("text").attr("x", left - 6).attr("y", (_, i) => i * cell.h + 14).attr("text-anchor", "end").text((run) => { const name = runName(run); return name.length > 23 ? `${name.slice(0, 22)}…` : name; });
    const cells = rows.flatMap((run, row) => topics.map((topic, column) => ({ run, row, column, index: topic.index, value: values[run][topic.index] })));
    svg.append("g").attr("class", "cells").attr("shape-rendering", "crispEdges").selectAll("rect").data(cells).join("rect")
      .attr("x", (d) => left + d.column * cell.w).attr("y", (d) => d.row * cell.h).attr("width", cell.w + 0.4).attr("height", cell.h - 1)
      .style("fill", (d) => d.value == null ? "var(--missing)" : colour(d.value));
    const cursor = svg.append("rect").attr("class", "cursor").attr("width", Math.max(cell.w, 3)).attr("height", cell.h - 1).style("display", "none");
    let at = null;
    const show = (row, column, event) => {
      at = { row, column };
      const found = cells[row * topics.length + column];
      cursor.style("display", null).attr("x", left + column * cell.w).attr("y", row * cell.h);
      const lines = [`${runName(found.run)} on ${blocks.blocks[found.index]}`, `${state.metric} ${found.value == null ? "undefined" : short(found.value, 5)}`];
      showTip(event, lines);
      return lines;
    };
    svg.on("pointermove", (event) => {
      const [mx, my] = d3.pointer(event);
      const row = Math.floor(my / cell.h), column = Math.floor((mx - left) / cell.w);
      if (row < 0 || row >= rows.length || column < 0 || column >= topics.length) return hideTip();
      show(row, column, event);
    }).on("pointerleave blur", () => { hideTip(); cursor.style("display", "none"); })
      .on("click", () => { if (at) { const found = cells[at.row * topics.length + at.column]; openBlock(found.run, found.index, state.metric); } })
      .on("keydown", (event) => {
        const move = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
        if (event.key === "Enter" && at) { const found = cells[at.row * topics.length + at.column]; openBlock(found.run, found.index, state.metric); }
        if (!move || !cells.length) return;
        event.preventDefault();
        const row = at ? Math.max(0, Math.min(rows.length - 1, at.row + move[0])) : 0, column = at ? Math.max(0, Math.min(topics.length - 1, at.column + move[1])) : 0;
        const box = svg.node().getBoundingClientRect();
        announce(show(row, column, { clientX: box.left + (left + column * cell.w) * box.width / width, clientY: box.top + row * cell.h * box.height / height }).join(", "));
      });
    const key = d3.create("svg").attr("class", "chart").attr("viewBox", "0 0 320 34").style("max-width", "320px").attr("aria-hidden", "true");
    key.selectAll("rect").data(d3.range(64)).join("rect").attr("x", (i) => 30 + i * 4).attr("width", 4.4).attr("height", 12).style("fill", (i) => colour(least + (ceiling - least) * i / 63));
    key.append("text").attr("x", 30).attr("y", 27).text(short(least, 3));
    key.append("text").attr("x", 286).attr("y", 27).attr("text-anchor", "end").text(`${ceiling < most ? "≥ " : ""}${short(ceiling, 3)}`);
    fill(host, svg.node(), key.node(), element("figcaption", {}, `Topics from left to right, easiest first. Light is a ${low ? "low" : "high"} (good) value, grey is undefined.`));
  }

  // ---------------------------------------------------------------- score distributions

  function drawHistograms() {
    const all = (report.histograms || []).filter((h) => h.board === state.board && !state.hidden.has(h.run)).sort((a, b) => a.run - b.run);
    $("#scores").hidden = !(report.histograms || []).some((h) => h.board === state.board);
    fill($("#score-charts"), ...all.map((h) => {
      const width = 300, height = 130, left = 8, bottom = 20;
      const x = d3.scaleLinear([h.low, h.high], [left, width - 8]);
      const share = (counts) => { const total = d3.sum(counts); return counts.map((count) => total ? count / total : 0); };
      const parts = [["nontarget", share(h.nontarget), "var(--c0)"], ["target", share(h.target), "var(--c1)"]];
      const y = d3.scaleLinear([0, d3.max(parts.flatMap(([, values]) => values)) || 1], [height - bottom, 8]);
      const svg = d3.create("svg").attr("class", "chart").attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img")
        .attr("aria-label", `Scores of ${runName(h.run)}: ${d3.sum(h.target)} targets, ${d3.sum(h.nontarget)} non-targets with a score, from ${short(h.low)} to ${short(h.high)}`);
      const step = (h.high - h.low) / h.target.length;
      for (const [name, values, colour] of parts) {
        const corners = values.flatMap((value, i) => [[h.low + i * step, value], [h.low + (i + 1) * step, value]]);
        svg.append("path").attr("d", d3.area((d) => x(d[0]), y(0), (d) => y(d[1]))(corners)).style("fill", colour).attr("opacity", 0.22);
        svg.append("path").attr("class", "curve").attr("data-part", name).attr("d", d3.line((d) => x(d[0]), (d) => y(d[1]))(corners)).style("stroke", colour).attr("stroke-width", 1.4).attr("stroke-dasharray", name === "target" ? "" : "4 2");
      }
      if (h.fit) {
        const fit = h.fit, points = d3.range(121).map((i) => h.low + (h.high - h.low) * i / 120);
        const normal = (score) => Math.exp(-(((score - fit.on_mean) / fit.on_sd) ** 2) / 2) / (fit.on_sd * Math.sqrt(2 * Math.PI));
        const decay = (score) => score < fit.off_origin ? 0 : fit.off_rate * Math.exp(-fit.off_rate * (score - fit.off_origin));
        for (const [name, density, colour] of [["nontarget-fit", decay, "var(--c0)"], ["target-fit", normal, "var(--c1)"]]) {
          svg.append("path").attr("class", "curve").attr("data-part", name).style("stroke", colour).attr("stroke-width", 0.8)
            .attr("d", d3.line((score) => x(score), (score) => y(Math.min(density(score) * step, y.domain()[1])))(points));
        }
        for (const [name, score, dash] of [["fitted threshold", fit.fitted_threshold, ""], ["best threshold on the data", fit.best_threshold, "4 2"], ["upper crossing", fit.upper_crossing, "1 3"]]) {
          if (score == null || score < h.low || score > h.high) continue;
          svg.append("line").attr("data-part", name).attr("x1", x(score)).attr("x2", x(score)).attr("y1", 8).attr("y2", y(0)).style("stroke", "var(--soft)").attr("stroke-dasharray", dash)
            .append("title").text(`${name} ${short(score)}`);
        }
      }
      svg.append("line").attr("x1", left).attr("x2", width - 8).attr("y1", y(0)).attr("y2", y(0)).style("stroke", "var(--rule)");
      const ticks = x.ticks(4);
      svg.selectAll("text").data(ticks).join("text").attr("x", (t) => x(t)).attr("y", height - 5).attr("text-anchor", "middle").text((t) => x.tickFormat(4)(t));
      return element("figure", {}, element("figcaption", {}, runName(h.run) + (h.every > 1 ? `, every ${h.every}th trial` : "")), svg.node());
    }));
  }

  // ---------------------------------------------------------------- C_tau curves

  function drawTau() {
    const all = (report.tau || []).filter((curve) => curve.board === state.board);
    $("#tau").hidden = !all.length;
    if (!all.length) return;
    const curves = all.filter((curve) => !state.hidden.has(curve.run));
    const metrics = [...new Set(all.map((curve) => curve.metric))];
    const host = $("#tau-charts");
    fill(host, ...metrics.map((metric) => {
      const width = 420, height = 270, margin = { top: 12, right: 14, bottom: 40, left: 44 };
      const mine = curves.filter((curve) => curve.metric === metric);
      const x = d3.scaleLinear([0, d3.max(mine.concat(all), (c) => d3.max(c.tau)) / 3600 || 1], [margin.left, width - margin.right]).nice();
      const y = d3.scaleLinear([0, d3.max(all.filter((c) => c.metric === metric), (c) => d3.max(c.value)) || 1], [height - margin.bottom, margin.top]).nice();
      const svg = d3.create("svg").attr("class", "chart").attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img").attr("aria-label", `${metric} of ${mine.length} runs over the time since the event's start, in hours`);
      svg.append("g").attr("class", "grid").selectAll("line").data(y.ticks(5)).join("line").attr("x1", margin.left).attr("x2", width - margin.right).attr("y1", y).attr("y2", y);
      svg.append("g").selectAll("text").data(y.ticks(5)).join("text").attr("x", margin.left - 6).attr("y", (t) => y(t) + 4).attr("text-anchor", "end").text((t) => y.tickFormat(5)(t));
      svg.append("g").selectAll("text").data(x.ticks(6)).join("text").attr("x", x).attr("y", height - margin.bottom + 16).attr("text-anchor", "middle").text((t) => x.tickFormat(6)(t));
      svg.append("text").attr("class", "title").attr("x", (margin.left + width) / 2).attr("y", height - 6).attr("text-anchor", "middle").text("hours after the event's start");
      for (const curve of mine) {
        const style = styleOf.get(curve.run);
        svg.append("path").attr("class", "curve").attr("data-run", runName(curve.run)).style("stroke", style.colour).attr("stroke-dasharray", style.dash)
          .attr("d", d3.line((i) => x(curve.tau[i] / 3600), (i) => y(curve.value[i])).defined((i) => curve.value[i] != null)(d3.range(curve.tau.length)));
        svg.selectAll(null).data(d3.range(curve.tau.length).filter((i) => curve.value[i] != null)).join("circle").attr("r", 3).style("fill", style.colour)
          .attr("cx", (i) => x(curve.tau[i] / 3600)).attr("cy", (i) => y(curve.value[i]))
          .on("pointermove", (event, i) => showTip(event, [runName(curve.run), `${metric} ${short(curve.value[i])} after ${short(curve.tau[i] / 3600, 2)} h`])).on("pointerleave", hideTip);
      }
      return element("figure", {}, element("figcaption", {}, metric), svg.node());
    }));
  }

  // ---------------------------------------------------------------- hierarchies

  let drawn = 0;
  function drawHierarchy() {
    const all = (report.hierarchies || []).filter((tree) => tree.board === state.board);
    $("#hierarchy").hidden = !all.length;
    if (!all.length) return;
    if (drawn >= all.length) drawn = 0;
    const tree = all[drawn];
    fill($("#hierarchy-controls"), ...(all.length > 1 ? [select("hierarchy-run", "Run", all.map((t, i) => [i, runName(t.run)]), drawn, (value) => { drawn = Number(value); drawHierarchy(); })] : []));
    const root = d3.stratify().id((d) => d[0]).parentId((d) => d[1])(tree.vertices);
    d3.tree().nodeSize([18, 150])(root);
    const [top, bottom] = d3.extent(root.descendants(), (d) => d.x);
    const deepest = d3.max(root.descendants(), (d) => d.y);
    const width = Math.max(520, deepest + 220), height = bottom - top + 40;
    const svg = d3.create("svg").attr("class", "chart").attr("viewBox", `-20 ${top - 20} ${width} ${height}`).style("min-width", `${Math.min(width, 1400)}px`).style("max-width", `${width}px`)
      .attr("role", "img").attr("aria-label", `Hierarchy of ${runName(tree.run)}: the ${tree.vertices.length} topmost of ${tree.n_vertex} vertices`);
    svg.append("g").attr("fill", "none").style("stroke", "var(--rule)").selectAll("path").data(root.links()).join("path").attr("d", d3.linkHorizontal((d) => d.y, (d) => d.x).source((d) => [d.source.y, d.source.x]).target((d) => [d.target.y, d.target.x]).x((d) => d[0]).y((d) => d[1]));
    const node = svg.append("g").attr("class", "node").selectAll("g").data(root.descendants()).join("g").attr("transform", (d) => `translate(${d.y} ${d.x})`);
    node.append("circle").attr("r", (d) => d.data[3] ? 5 : 3).style("fill", (d) => d.data[3] ? "var(--c1)" : "var(--soft)");
    node.append("text").attr("x", 8).attr("y", 4).text((d) => `${d.data[0].length > 16 ? d.data[0].slice(0, 15) + "…" : d.data[0]}${d.data[3] ? ` ← ${d.data[3]}` : ""}`);
    node.append("title").text((d) => `${d.data[0]}: ${d.data[2]} stories${d.data[3] ? `, best for ${d.data[3]}` : ""}`);
    fill($("#hierarchy-chart"), svg.node());
    $("#hierarchy-note").textContent = tree.vertices.length < tree.n_vertex ? `The ${tree.vertices.length} topmost of ${tree.n_vertex} vertices are drawn; a vertex with several parents hangs below its first. Orange: the best vertex of the topics named.` : "A vertex with several parents hangs below its first. Orange: the best vertex of the topics named.";
  }

  // ---------------------------------------------------------------- all numbers

  let scoreFilter = "";
  function drawScores() {
    const mine = scores.map((row, index) => ({ ...row, index })).filter((row) => row.board === state.board);
    fill($("#number-controls"), element("label", {}, "Filter (run, metric, subset, weighting)", element("input", { type: "search", id: "number-filter", value: scoreFilter, placeholder: "for example c_det_norm topic all", oninput: (event) => { scoreFilter = event.target.value; table(); } })));
    function table() {
      const words = scoreFilter.toLowerCase().split(/\s+/).filter(Boolean);
      const found = mine.filter((row) => { const text = `${runName(row.run)} ${row.metric} ${row.subset} ${row.weighting}`.toLowerCase(); return words.every((word) => text.includes(word)); });
      sortable($("#number-table"), { caption: `${found.length} of ${mine.length} numbers; click one for its signature and SQL`, label: "All numbers", limit: 200, rows: found,
        columns: [{ label: "run", get: (row) => runName(row.run) }, { label: "metric", get: (row) => row.metric }, { label: "subset", get: (row) => row.subset }, { label: "weighting", get: (row) => row.weighting },
          { label: "value", number: true, get: (row) => row.value, cell: (row) => valueButton(short(row.value, 6), () => openScore(row.index)) }, { label: "n", number: true, get: (row) => row.n }] });
    }
    table();
  }

  // ---------------------------------------------------------------- problems, theme, start

  if ($("#problem-table")) sortable($("#problem-table"), { label: "Problems found while loading", tall: true, limit: 200, rows: report.problems,
    columns: [{ label: "code", get: (row) => row.code }, { label: "of", get: (row) => row.owner }, { label: "place", get: (row) => row.place }, { label: "what is wrong", wide: true, get: (row) => row.message }] });

  const themes = ["auto", "light", "dark"];
  const themeButton = $("#theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let theme = "auto";
  function applyTheme() {
    document.documentElement.dataset.theme = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
    themeButton.textContent = `Colours: ${theme}`;
  }
  themeButton.addEventListener("click", () => { theme = themes[(themes.indexOf(theme) + 1) % 3]; applyTheme(); });
  dark.addEventListener("change", applyTheme);
  applyTheme();
  themeButton.hidden = false;

  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (!entry.isIntersecting) return;
    links.forEach((link) => link.removeAttribute("aria-current"));
    links.get(entry.target.id)?.setAttribute("aria-current", "true");
  }), { rootMargin: "-20% 0px -70% 0px" });
  document.querySelectorAll("main section").forEach((section) => watch.observe(section));

  drawAll();
  let resizing;
  addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(() => { drawDet(); drawHeat(); }, 150); });
  window.tdtsqlReport = { probit, ready: true };

  // ---------------------------------------------------------------- unpacking

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }
  // columns with a dictionary ({of: values, at: indexes}) back to rows
  function unfold(table) {
    const names = Object.keys(table);
    const get = names.map((name) => { const column = table[name]; return Array.isArray(column) ? (i) => column[i] : (i) => column.of[column.at[i]]; });
    const size = names.length ? (Array.isArray(table[names[0]]) ? table[names[0]] : table[names[0]].at).length : 0;
    return Array.from({ length: size }, (_, i) => Object.fromEntries(names.map((name, k) => [name, get[k](i)])));
  }
})();
