"use strict";
// The filter of each list of queries: it shows the entries whose data-* match every choice, and says how many.
for (const list of document.querySelectorAll(".filtered")) {
  const form = list.querySelector("form");
  const entries = [...list.querySelectorAll(".flips > li")];
  const status = list.querySelector("[role=status]");
  const filter = () => {
    const wanted = [...new FormData(form)].filter(([, value]) => value);
    for (const entry of entries) {
      entry.hidden = !wanted.every(([name, value]) => entry.dataset[name] === value);
    }
    const shown = entries.filter((entry) => !entry.hidden).length;
    status.textContent = `${shown.toLocaleString("en")} of ${entries.length.toLocaleString("en")} shown`;
  };
  form.hidden = false;
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
}
