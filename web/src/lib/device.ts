// What this screen is: a table, and the credential of an enrolled device. Both come in the part of the address that no
// server sees (`/terminal#table=etg-1&device=…`), are kept for this tab, and are taken out of sight. With `&keep` they are
// kept for good, for a machine that does nothing else; `&kiosk` hides what only a desk needs.

export interface Place {
  table: string;
  device: string;
  kiosk: boolean;
}

const KEY = 'punto-place';

export function place(
  page: Location = location,
  tab: Storage = sessionStorage,
  machine: Storage = localStorage,
): Place | null {
  const said = new URLSearchParams(page.hash.slice(1));
  const [table, device] = [said.get('table'), said.get('device')];
  const key = `${KEY} ${page.pathname}`;
  if (table && device) {
    const found: Place = { table, device, kiosk: said.has('kiosk') };
    tab.setItem(key, JSON.stringify(found));
    if (said.has('keep')) machine.setItem(key, JSON.stringify(found));
    history.replaceState(null, '', page.pathname + page.search);
    return found;
  }
  const kept = tab.getItem(key) ?? machine.getItem(key);
  return kept ? (JSON.parse(kept) as Place) : null;
}

/** The address of a screen. */
export function address(page: 'terminal' | 'console' | 'board', table: string, device: string): string {
  return `/${page}#${new URLSearchParams({ table, device }).toString()}`;
}
