// The note acceptor of the demonstration's own terminals (interpretation 41). An acceptor is a device with a credential of
// its own, and it alone says what it took; a visitor has no notes, so the screen stands in for the machine there and nowhere
// else: in a house nobody tells this screen a credential.

import { guest } from '../lib/api';
import type { Place } from '../lib/device';
import { Line } from '../lib/line.svelte';
import type { Command, DemoDevice, Guest, Hello, Money, PatronNo } from '../lib/wire';
import { why } from './bets.svelte';
import type { Why } from './chips';

/** The notes that it takes, in minor units. */
export const NOTES: readonly Money[] = [1_000, 5_000, 10_000];

/** How long a visitor waits for an answer. */
const PATIENCE = 10_000;

/** What is used of a line. */
type Wire = Pick<Line, 'order' | 'close' | 'link'>;

/** An acceptor and whose it is. */
interface Found {
  id: string;
  credential: string;
  patron: PatronNo;
}

/** The acceptor beside the terminal of this credential. */
export function beside(told: Guest | null, { table, device }: Pick<Place, 'table' | 'device'>): Found | null {
  const own = told?.devices.find((it) => it.credential === device)?.kind;
  if (!told || !own || !('terminal' in own) || own.terminal.table !== table) return null;
  const { patron } = own.terminal;
  const isIts = ({ kind }: DemoDevice): boolean =>
    'acceptor' in kind && kind.acceptor.table === table && kind.acceptor.patron === patron;
  const found = told.devices.find(isIts);
  return found ? { id: found.device, credential: found.credential, patron } : null;
}

export class Acceptor {
  /** Whether there is one that this screen stands in for. */
  isThere = $state(false);
  /** Why the last note was given back. */
  refused = $state.raw<Why | null>(null);

  #place: Place;
  #open: (hello: Hello) => Wire;
  #found: Found | null = null;

  constructor(
    place: Place,
    ask: () => Promise<Guest | null> = guest,
    open: (hello: Hello) => Wire = (hello) => new Line(hello),
  ) {
    this.#place = place;
    this.#open = open;
    ask()
      .then((told) => {
        this.#found = beside(told, place);
        this.isThere = this.#found !== null;
      })
      .catch(() => null);
  }

  /** Takes a note; whether it became credits. What is refused is given back. */
  insert(amount: Money): Promise<boolean> {
    return this.#say(({ patron }) => ({ do: 'accept-note', patron, amount }));
  }

  /** A note that is in the machine and was not credited: a case, which an attendant is shown. */
  jam(amount: Money, words: string): Promise<boolean> {
    return this.#say(({ id, patron }) => ({
      do: 'report-case',
      patron,
      report: { case: 'note-not-credited', acceptor: id, amount, words },
    }));
  }

  async #say(command: (own: Found) => Command): Promise<boolean> {
    const own = this.#found;
    if (!own) return false;
    const line = this.#open({ table: this.#place.table, screen: 'acceptor', device: own.credential });
    let watch: ReturnType<typeof setInterval> | undefined;
    try {
      const by = { as: 'acceptor', acceptor: own.id, patron: own.patron } as const;
      const until = Date.now() + PATIENCE;
      const none = new Promise<'none'>((tell) => {
        watch = setInterval(() => {
          if (line.link === 'refused' || Date.now() >= until) tell('none');
        }, 100);
      });
      const answer = await Promise.race([line.order(by, command(own)), none]);
      this.refused = answer === 'none' ? 'not-sent' : why(answer);
      return this.refused === null;
    } finally {
      clearInterval(watch);
      line.close();
    }
  }
}
