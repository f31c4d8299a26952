// The report's behaviour: choice of condition, one click to the SQL behind a number. Needs no network. Charts and tables
// of a condition travel as gzip in base64 (element #data); the static part works without this script.

(async () => {
  const { $, element, fill, announce, select, table, factsOf, hideSeries, oneStop } = tdtsql;
  const report = await unpack($("#data").textContent);
  const boards = report.boards;
  const state = { board: 0, choice: {} };

  // ---------------------------------------------------------------- sections of a condition

  const isHere = (place) => {
    const { condition, profile } = boards[state.board];
    return !place.length || place[0] === condition && (place.length < 2 || place[1] === profile);
  };
  // tables travel by columns
  const byRows = (grid) => ({ ...grid, rows: (grid.rows[0] ?? []).map((_, at) => grid.rows.map((column) => column[at])) });
  // markup that the server made: everything from a store is escaped in it
  function drawSection(name) {
    const section = $(`[id="${name}"]`), { by, parts } = report.sections[name];
    const here = parts.filter(({ place }) => isHere(place));
    section.hidden = !here.length;
    if (!here.length) return;
    const chosen = state.choice[name] ??= [], labels = report.labels[boards[state.board].condition] ?? {};
    const boxes = by.map((label, at) => {
      const fitting = here.filter(({ choice }) => choice.slice(0, at).every((value, before) => value === chosen[before]));
      const values = [...new Set(fitting.map(({ choice }) => choice[at]))];
      if (!values.includes(chosen[at])) chosen[at] = values[0];
      return values.length > 1 ? select(label, values.map((value) => [value, labels[value] ?? value]), chosen[at], (value) => { chosen[at] = value; drawSection(name); announce(`${label}: ${value}`); }) : null;
    });
    const part = here.find(({ choice }) => choice.every((value, at) => value === chosen[at]));
    const host = $(".parts", section), controls = $(".controls", section);
    fill(controls, ...boxes.filter(Boolean));
    const title = $("h2", section).firstChild.textContent.trim();
    if (part.grid) fill(host, table(byRows(part.grid), `${title}: ${[...part.place, ...part.choice].join(", ")}`, labels));
    else host.innerHTML = part.svg;
    hideSeries(host);
  }
  function drawAll() {
    Object.keys(report.sections).forEach(drawSection);
    for (const section of document.querySelectorAll("main section")) {
      const parts = [...section.querySelectorAll("[data-place]")];
      parts.forEach((part) => { part.hidden = !isHere(JSON.parse(part.dataset.place)); });
      if (parts.length) section.hidden = parts.every((part) => part.hidden);
    }
    document.querySelectorAll("nav a").forEach((link) => { link.parentElement.hidden = $(`[id="${link.hash.slice(1)}"]`).hidden; });
    const { condition, profile } = boards[state.board];
    document.querySelectorAll(".scope").forEach((part) => { part.textContent = `${condition} · ${profile}`; });
  }
  if (boards.length > 1) {
    const box = select("Condition and profile", boards.map(({ condition, profile }, at) => [at, `${condition} · ${profile}`]), 0, (value) => { state.board = Number(value); drawAll(); });
    $("select", box).id = "board";
    fill($("#choose"), box);
  }

  // ---------------------------------------------------------------- one click to the recipe

  const dialog = $("#recipe");
  // as a shell takes it; the store by its name, for where it lies the page does not know
  const word = (text) => /^[\w.\/:@%+=-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
  function explainCommand(facts) {
    const store = Object.fromEntries(report.facts).store;
    return ["tdtsql explain", word(facts.run_id), facts.metric, ...(facts.block_id == null ? [] : [word(facts.block_id)]), "--condition", word(facts.condition_id),
      "--profile", word(facts.profile_id), ...(store && store !== "in memory" ? ["--db", word(store)] : [])].join(" ");
  }
  function recipe(facts) {
    const { value, signature, ...others } = facts;
    const task = boards.find(({ condition }) => condition === facts.condition_id)?.task;
    const names = Object.keys(report.relations).filter((name) => report.relations[name].publishes.includes(`${task} ${facts.metric}`));
    const isNumber = facts.run_id && facts.metric && (facts.subset ?? "all") === "all";
    const title = facts.metric ? `${facts.metric} of ${facts.run_id}${facts.block_id ? ` on ${facts.block_id}` : ""}` : "Number";
    const meaning = report.metrics[facts.metric];
    const pairs = [["value", value], ...Object.entries(others), ...(meaning ? [["meaning", meaning]] : [])].filter(([, text]) => text != null && text !== "" && text !== "–");
    const view = (name) => report.relations[name] ? element("details", { open: name === names[0] }, element("summary", {}, name), element("p", { class: "soft" }, report.relations[name].title),
      ...(report.relations[name].formula ? [element("pre", { class: "formula" }, report.relations[name].formula)] : []),
      element("p", {}, `Source: ${report.relations[name].source.replace(/\s+/g, " ")}`),
      element("pre", { class: "view", tabindex: "0" }, report.relations[name].sql)) : element("p", {}, name);
    const below = [...new Set(names.flatMap((name) => report.relations[name]?.reads ?? []))];
    fill(dialog,
      element("div", { class: "head" }, element("h2", { id: "recipe-title" }, title), element("button", { class: "plain", type: "button", onclick: () => dialog.close() }, "Close")),
      element("dl", {}, ...pairs.flatMap(([key, text]) => [element("dt", {}, key.replace(/_id$/, "").replace("block", report.topic)), element("dd", {}, String(text))])),
      ...(signature ? [element("h3", {}, "Signature"), element("pre", { class: "signature", id: "recipe-signature" }, signature)] : []),
      ...(isNumber ? [element("h3", {}, "To see how it came about"), element("pre", {}, explainCommand(facts))] : []),
      ...(names.length ? [element("h3", {}, "SQL"), ...names.map(view)] : []),
      ...(below.length ? [element("details", {}, element("summary", {}, `It reads ${below.length} ${below.length === 1 ? "relation" : "relations"}`), ...below.map(view))] : []));
    dialog.setAttribute("aria-labelledby", "recipe-title");
    dialog.showModal();
  }
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.value");
    if (button) recipe(factsOf(button));
  });

  // ---------------------------------------------------------------- start

  document.querySelectorAll("table.grid tbody").forEach(oneStop);
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (!entry.isIntersecting) return;
    links.forEach((link) => link.removeAttribute("aria-current"));
    links.get(entry.target.id)?.setAttribute("aria-current", "true");
  }), { rootMargin: "-20% 0px -70% 0px" });
  document.querySelectorAll("main section").forEach((section) => watch.observe(section));
  drawAll();
  window.tdtsqlReport = { ready: true };

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }
})();
