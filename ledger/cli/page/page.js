"use strict";
// The page is whole without this: it only adds a filter, and keys between conversations.
(() => {
  const form = document.getElementById("tools");
  if (!form) return;
  const box = document.getElementById("filter");
  const told = document.getElementById("shown");
  const nothing = document.getElementById("nothing");
  const AUTO_OPEN = 20;
  const wait = 120;
  let known = null;
  let openBefore = null;
  let timer = 0;

  const lower = (node) => node.textContent.toLowerCase();
  const number = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

  // Texts are gathered at the first use, so that opening the page costs nothing.
  const gathered = () => (known ??= [...document.querySelectorAll(".day")].map((day) => ({
    day,
    those: [...day.querySelectorAll(".conversation")].map((item) => ({
      item,
      details: item.firstElementChild,
      head: [...item.querySelectorAll("summary .host, summary code")].map(lower).join(" "),
      told: [...item.querySelectorAll(".told-list li")].map(lower),
      kinds: [...item.querySelectorAll("tbody")],
      rows: [...item.querySelectorAll("tbody tr:not(.kind)")].map((row) => ({ row, text: lower(row) })),
    })),
  })));

  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const days = gathered();
    const all = days.flatMap((one) => one.those);
    openBefore ??= new Set(all.filter((one) => one.details.open));
    const hits = [];
    let reads = 0;
    for (const one of all) {
      const has = (text) => words.every((word) => one.head.includes(word) || text.includes(word));
      const fit = one.rows.map((entry) => has(entry.text));
      // Where only a briefing has the words, or nothing was read yet, the whole conversation is meant.
      const whole = !fit.includes(true) && (has("") || one.told.some(has));
      one.rows.forEach((entry, place) => { entry.row.hidden = !(whole || fit[place]); });
      for (const kind of one.kinds) kind.hidden = [...kind.rows].slice(1).every((row) => row.hidden);
      const matched = whole ? one.rows.length : fit.filter(Boolean).length;
      one.item.hidden = !(whole || matched);
      if (!one.item.hidden) {
        hits.push(one);
        reads += matched;
      }
    }
    const few = hits.length <= AUTO_OPEN;
    for (const one of hits) one.details.open = words.length ? few : openBefore.has(one);
    if (!words.length) openBefore = null;
    for (const one of days) one.day.hidden = one.those.every((each) => each.item.hidden);
    nothing.hidden = hits.length > 0;
    told.textContent = words.length ? `${number(hits.length, "conversation")}, ${number(reads, "read")}` : "";
  };

  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(filter, wait);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  const setAll = (open) => () => {
    for (const one of document.querySelectorAll(".conversation:not([hidden]) > details")) one.open = open;
  };
  document.getElementById("open").addEventListener("click", setAll(true));
  document.getElementById("close").addEventListener("click", setAll(false));

  // Keys work only while a conversation's line has the focus, so they take none from anyone.
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  document.getElementById("main").addEventListener("keydown", (event) => {
    const here = event.target.closest("summary");
    if (!here || !(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
    const lines = [...document.querySelectorAll(".conversation:not([hidden]) summary")];
    const next = Math.min(Math.max(lines.indexOf(here) + steps[event.key], 0), lines.length - 1);
    event.preventDefault();
    lines[next].focus();
  });
  form.hidden = false;
})();
