// The link by which a device is set up that two people enrolled. It brings one half of the credential behind the #, where no
// server and no log sees it; the second person enters the other half.

export const SCREENS = ['terminal', 'console', 'board'] as const;
export type ScreenOfLink = (typeof SCREENS)[number];

export interface Link {
  screen: ScreenOfLink;
  table: string;
  /** The whole credential, with the code of the second person. */
  credential: (code: string) => string;
  /** Where the screen is, once it has its credential; `keep` and `kiosk` go along. */
  address: (code: string) => string;
}

/** What a link says; nothing if a part of it is missing. */
export function parse(hash: string): Link | null {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  const [table, half] = [said.get('table'), said.get('device')];
  const screen = SCREENS.find((it) => it === said.get('screen'));
  if (!screen || !table || !half) return null;
  // As it is read out or copied: with hyphens, spaces and capitals.
  const credential = (code: string): string => `${half}.${code.toLowerCase().replace(/[^0-9a-z]/g, '')}`;
  const address = (code: string): string => {
    const to = new URLSearchParams(said);
    to.delete('screen');
    to.set('device', credential(code));
    return `/${screen}#${to.toString()}`;
  };
  return { screen, table, credential, address };
}
