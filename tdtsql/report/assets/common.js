"use strict";
// What report and web UI share: light and dark, a tip, and the points of curves. All pages work without it.

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
  });

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
  return { curvesOf, showTip, hideTip };
})();
