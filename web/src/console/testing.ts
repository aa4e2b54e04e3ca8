// A view for tests: a live table between Rounds with everything in order. Tests say what is different.

import type { FloorView, TableView, View } from '../lib/wire';

export const TABLE: TableView = {
  table: 'T1',
  game: 'wu-song',
  title: { en: 'Wu Song', 'zh-Hans': '武松', 'zh-Hant': '武松' },
  version: 3,
  mode: 'live',
  layout: 'A',
  decks: 8,
  boxes: 6,
  currency: 'SGD',
  unit: 2,
  betting_box: { minimum: 2_500, differential: 500_000 },
  limits: 'enforced',
  limits_cite: '3.4',
  announced: null,
  money: 'credits',
  device: 'shoe',
  cards: 'real',
  faces: 'up',
  result: 'confirmed',
  betting_seconds: 20,
  bets: [
    {
      bet: 'player',
      label: { en: 'Player', 'zh-Hans': '闲', 'zh-Hant': '閒' },
      cite: '4.1.1',
      side: 'player',
      range: null,
    },
    {
      bet: 'banker',
      label: { en: 'Banker', 'zh-Hans': '庄', 'zh-Hant': '莊' },
      cite: '4.1.1',
      side: 'banker',
      range: null,
    },
    { bet: 'tie', label: { en: 'Tie', 'zh-Hans': '和', 'zh-Hant': '和' }, cite: '4.1.2', side: null, range: null },
  ],
  display_cite: '5.15',
};

const ROAD = { cells: [], seq: '' };
const ASK = { B: '', P: '' } as const;

export const FLOOR: FloorView = {
  shift: null,
  posts: [],
  waiting: [],
  squeezes: [],
  disputes: [],
  reportable: [],
  uncounted: [],
  correctable: [],
  miskeyed: [],
};

export function view(different: Partial<View> = {}): View {
  return {
    seq: 1,
    now: 0,
    table: TABLE,
    phase: 'between',
    round: 4,
    closes_at: null,
    closing: null,
    shoe: {
      shoe: 1,
      card_set: 'blue-1',
      left: 400,
      cards: 416,
      cut_card_out: false,
      burn_due: null,
      must_exchange: null,
    },
    cards: [],
    next: null,
    decisions: [],
    points: null,
    result: null,
    carried: [],
    last: null,
    roads: {
      bead: [],
      leading_ties: 0,
      big_road: { depths: [], first: null, cells: [] },
      ask: { big_eye_boy: ASK, small_road: ASK, cockroach_pig: ASK },
      big_eye_boy: ROAD,
      small_road: ROAD,
      cockroach_pig: ROAD,
    },
    counters: { wins: { player: 0, banker: 0 }, ties: 0, pairs: { player: 0, banker: 0 }, naturals: 0 },
    own: null,
    wagers: [],
    seats: [],
    flags: [],
    accounts: null,
    cases: null,
    acceptors: null,
    set_aside: null,
    matters: [],
    floor: FLOOR,
    float: null,
    house: null,
    possible: ['open-bets', 'exchange-shoe', 'retire-shoe', 'report'],
    least: [
      ['open-bets', 'dealer'],
      ['exchange-shoe', 'dealer'],
      ['retire-shoe', 'dealer'],
      ['report', 'dealer'],
      ['announce-closing', 'pit-supervisor'],
      ['start-shift', 'pit-manager'],
    ],
    ...different,
  };
}
