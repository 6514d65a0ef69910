/** Tabs as the ARIA practices have them: one tab stop, the arrow keys move and choose. */
export function wireTabs(tablist, onChoose) {
  const tabs = [...tablist.querySelectorAll('[role=tab]')];

  function choose(chosen) {
    for (const tab of tabs) {
      const selected = tab === chosen;
      tab.setAttribute('aria-selected', String(selected));
      tab.tabIndex = selected ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !selected;
    }
    onChoose(chosen.id.replace('tab-', ''));
  }

  tablist.addEventListener('click', (event) => {
    const tab = event.target.closest('[role=tab]');
    if (tab) {
      choose(tab);
    }
  });
  tablist.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to !== undefined) {
      const tab = tabs[(to + tabs.length) % tabs.length];
      choose(tab);
      tab.focus();
      event.preventDefault();
    }
  });
}
