"use strict";
// What report and web UI share: light and dark, and a crosshair on curves that shows the threshold. All pages work without it.

const tdtsql = (() => {
  const themes = ["auto", "light", "dark"];
  let theme = "auto";
  try { theme = themes.includes(localStorage.getItem("tdtsql-colours")) ? localStorage.getItem("tdtsql-colours") : "auto"; } catch { /* no storage */ }
  const root = document.documentElement;
  function applyTheme() {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme; // auto: the style sheet asks the browser
    const button = document.getElementById("theme");
    if (button) { button.textContent = `Colours: ${theme}`; button.hidden = false; }
  }
  applyTheme();
  document.addEventListener("DOMContentLoaded", () => {
    applyTheme();
    document.getElementById("theme")?.addEventListener("click", () => {
      theme = themes[(themes.indexOf(theme) + 1) % 3];
      try { localStorage.setItem("tdtsql-colours", theme); } catch { /* for this page only */ }
      applyTheme();
    });
    document.querySelectorAll("svg.chart").forEach(crosshair);
  });

  const percent = (p) => `${+(100 * p).toPrecision(3)} %`;
  let tip = null;
  function showTip(x, y, lines) {
    if (!tip) { tip = document.createElement("div"); tip.className = "tip"; tip.setAttribute("role", "status"); document.body.append(tip); }
    tip.replaceChildren(...lines.map((line) => { const row = document.createElement("div"); row.textContent = line; return row; }));
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(6, Math.min(x + 14, innerWidth - box.width - 8))}px`;
    tip.style.top = `${Math.max(6, Math.min(y + 14, innerHeight - box.height - 8))}px`;
  }
  const hideTip = () => { if (tip) tip.hidden = true; };

  // The points of the curves of a chart: place, rates, threshold.
  function curvesOf(svg) {
    return [...svg.querySelectorAll("path.curve[data-fa]")].map((path) => {
      const at = path.getAttribute("d").match(/-?[\d.]+/g).map(Number);
      const list = (name) => (path.dataset[name] ?? "").split(" ");
      const [fa, miss, threshold] = [list("fa"), list("miss"), list("threshold")];
      return { path, run: path.closest("[data-run]").dataset.run,
        points: fa.map((p, i) => ({ x: at[2 * i], y: at[2 * i + 1], fa: Number(p), miss: Number(miss[i]), threshold: threshold[i] || "none" })) };
    });
  }
  const describe = (run, point) => [run, `threshold ${point.threshold}`, `miss ${percent(point.miss)} · false alarm ${percent(point.fa)}`];

  function crosshair(svg) {
    const all = curvesOf(svg);
    if (!all.length) return;
    const cursor = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    cursor.setAttribute("r", 5);
    cursor.setAttribute("class", "cursor");
    cursor.style.display = "none";
    svg.append(cursor);
    const seen = () => all.filter((curve) => curve.path.closest("[data-run]").style.display !== "none");
    const scale = () => svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    let now = null;
    function point(curve, i) {
      now = { curve, i };
      const { x, y } = curve.points[i], box = svg.getBoundingClientRect();
      cursor.style.display = "";
      cursor.setAttribute("cx", x);
      cursor.setAttribute("cy", y);
      showTip(box.left + x / scale(), box.top + y / scale(), describe(curve.run, curve.points[i]));
    }
    const leave = () => { hideTip(); cursor.style.display = "none"; };
    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect(), mx = (event.clientX - box.left) * scale(), my = (event.clientY - box.top) * scale();
      let best = null, least = 40;
      for (const curve of seen()) curve.points.forEach((p, i) => { const far = Math.hypot(p.x - mx, p.y - my); if (far < least) { least = far; best = [curve, i]; } });
      if (best) point(...best); else leave();
    });
    svg.addEventListener("pointerleave", leave);
    svg.addEventListener("blur", leave);
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0, turn = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0, shown = seen();
      if (!(step || turn) || !shown.length) return;
      event.preventDefault();
      const from = Math.max(0, shown.indexOf(now?.curve)), curve = shown[(from + turn + shown.length) % shown.length];
      point(curve, Math.max(0, Math.min(curve.points.length - 1, (now?.i ?? -step) + step)));
    });
  }
  return { crosshair, curvesOf, showTip, hideTip };
})();
