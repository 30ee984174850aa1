// Follows the page in the frame: its URL stands in the address, the bar and the links of the bar. Without it the bar shows where the visit began.
"use strict";
const nav = document.querySelector("nav");
const { base, time, suffix } = nav.dataset;
addEventListener("message", (event) => {
  if (event.source !== frames[0] || !event.origin.endsWith(suffix) || !event.data || typeof event.data.tamis !== "string") return;
  let at;
  try { at = new URL(event.data.tamis); } catch { return; }
  if (!at.host.endsWith(suffix)) return;
  const host = at.host.slice(0, -suffix.length).replace(/\.p(\d+)$/, ":$1");
  const url = `http://${host}${at.pathname}${at.search}`;
  nav.querySelector("[data-url]").textContent = url;
  document.title = `${String(event.data.title || url).slice(0, 200)} – tamis`;
  for (const link of nav.querySelectorAll("[data-to]")) {
    const to = link.dataset.to;
    link.href = to === "url" ? `${base}/url/${url}` : `${base}/${to}/${time}/${url}`;
  }
  history.replaceState(null, "", `${base}/web/${time}/${url}${at.hash}`);
});
