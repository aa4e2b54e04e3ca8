import { afterEach, describe, expect, it } from 'vitest';
import { LANGUAGES, language } from '../lib/language.svelte';
import type { Deed } from '../lib/wire';
import wire from '../lib/wire.ts?raw';
import { saidOf, titleOf } from './signed';

afterEach(() => language.use('en', false));

/** Every deed of the wire that names a second person, with its parts. */
function deeds(): Deed[] {
  const text = wire.match(/export type Deed =\n([\s\S]*?);\n\n/)![1]!;
  const all = text.split(/\n {2}\| \{|^ {2}\| \{/m).filter((it) => /\bsecond\??:/.test(it));
  return all.map((it) => {
    const name = /deed: "([a-z-]+)"/.exec(it)![1];
    const parts = [...it.matchAll(/(?:[;{]\s*|^\s*)(\w+)\??: /gm)].map(([, part]) => [
      part,
      part === 'currency' ? 'SGD' : 7,
    ]);
    return { ...Object.fromEntries(parts), deed: name } as Deed;
  });
}

describe('a deed that waits for a second person', () => {
  it('has a title and a word for each of its parts, in every language', () => {
    const all = deeds();
    expect(all.map(({ deed }) => deed)).toContain('device-enrolled');
    expect(all.length).toBeGreaterThanOrEqual(13);
    for (const tongue of LANGUAGES) {
      language.use(tongue, false);
      for (const deed of all) {
        const isHan = (it: string): boolean => /\p{Script=Han}/u.test(it);
        expect(titleOf(deed), deed.deed).not.toBe(deed.deed);
        expect(isHan(titleOf(deed)), `${tongue} ${deed.deed}`).toBe(tongue !== 'en');
        const parts = saidOf(deed, 'SGD');
        expect(parts.length).toBe(Object.keys(deed).length - 1);
        expect(new Set(parts.map(([label]) => label)).size, `${deed.deed}: labels differ`).toBe(parts.length);
        for (const [label] of parts) expect(isHan(label), `${tongue} ${deed.deed} ${label}`).toBe(tongue !== 'en');
      }
    }
  });

  it('says what is not so: that a witness is no longer asked', () => {
    const removal = saidOf(
      {
        deed: 'witness-changed',
        witness: 'safe',
        address: 'folder:/mnt/safe',
        in_use: false,
        second: 'ben',
        reason: 'x',
      },
      'SGD',
    );
    expect(removal).toContainEqual(['Is to be asked', 'no']);
  });

  it('has its own money, its own time and its own kind of device', () => {
    const paid = { deed: 'ticket-paid', ticket: 'T1/7', amount: 12_300, currency: 'JPY' } as Deed;
    expect(Object.fromEntries(saidOf(paid, 'SGD'))['Amount']).toContain('¥');
    const clock = { deed: 'clock-confirmed', ahead: 240 * 3_600_000, second: 'ben', reason: 'closed' } as Deed;
    expect(saidOf(clock, 'SGD')).toContainEqual(['Recorded time goes forward by', '10 days']);
    const device = { deed: 'device-enrolled', device: 't-7', kind: 'terminal', table: 'T1', patron: 7 } as Deed;
    expect(saidOf(device, 'SGD')).toContainEqual(['Kind of device', 'Player Terminal']);
  });
});
