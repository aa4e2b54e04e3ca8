// What a row of a pay table asks for, in words: "Banker wins on 6 with 2 cards". Facts about the winner make one phrase;
// the others follow it. Which row applies is decided by the table: rows are tried in order.

import { catalogue, language, type Language } from '../language.svelte';
import type { FactTold, PrintedRow, Side, Which, Winner } from '../wire';

type Is<F extends FactTold['fact']> = Extract<FactTold, { fact: F }>;

/** What is said of the winner: who, on how many points, with how many cards, by how much, with a Natural. */
interface Win {
  who: readonly Winner[];
  points: string | null;
  cards: string | null;
  margin: string | null;
  natural: boolean;
}

const EN_SIDE: Record<Side, string> = { player: 'Player', banker: 'Banker' };
const HANS_SIDE: Record<Side, string> = { player: '闲', banker: '庄' };
const HANT_SIDE: Record<Side, string> = { player: '閒', banker: '莊' };

const EN_WHICH: Record<Which, (what: string) => string> = {
  player: (what) => `Player has a ${what}`,
  banker: (what) => `Banker has a ${what}`,
  'exactly-one': (what) => `exactly one Hand has a ${what}`,
  either: (what) => `at least one Hand has a ${what}`,
  both: (what) => `both Hands have a ${what}`,
  neither: (what) => `no Hand has a ${what}`,
  twin: (what) => `both Hands have a ${what} of the same rank`,
  winner: (what) => `the winning Hand has a ${what}`,
};
const HANS_WHICH: Record<Which, (what: string) => string> = {
  player: (what) => `闲为${what}`,
  banker: (what) => `庄为${what}`,
  'exactly-one': (what) => `仅一方为${what}`,
  either: (what) => `至少一方为${what}`,
  both: (what) => `双方均为${what}`,
  neither: (what) => `双方均非${what}`,
  twin: (what) => `双方均为同点数${what}`,
  winner: (what) => `胜方为${what}`,
};
const HANT_WHICH: Record<Which, (what: string) => string> = {
  player: (what) => `閒為${what}`,
  banker: (what) => `莊為${what}`,
  'exactly-one': (what) => `僅一方為${what}`,
  either: (what) => `至少一方為${what}`,
  both: (what) => `雙方均為${what}`,
  neither: (what) => `雙方均非${what}`,
  twin: (what) => `雙方均為同點數${what}`,
  winner: (what) => `勝方為${what}`,
};

/** Suits in the text of a count: `7`, `J/Q/K`, `hearts/diamonds`, `A of spades`. */
const HANS_SUITS: Record<string, string> = { spades: '黑桃', hearts: '红心', diamonds: '方块', clubs: '梅花' };
const HANT_SUITS: Record<string, string> = { spades: '黑桃', hearts: '紅心', diamonds: '方塊', clubs: '梅花' };

function counted(of: string, suits: Record<string, string>): string {
  const parts = of.split(' of ').map((part) => part.split('/').map((it) => suits[it] ?? (it === 'T' ? '10' : it)));
  return parts
    .map((names) => names.join('、'))
    .reverse()
    .join(' ');
}

function winEn({ who, points, cards, margin, natural }: Win): string {
  const sides = who.filter((it): it is Side => it !== 'tie').map((it) => EN_SIDE[it]);
  const names = sides.length === 2 ? ['either Hand'] : sides;
  const heads = [...names.map((it) => `${it} wins`), ...(who.includes('tie') ? ['Tie'] : [])];
  const head = heads.length === 0 ? 'won or tied' : heads.join(' or ');
  const tail = [
    points && ` on ${points}`,
    cards && ` with ${cards}`,
    margin && ` by ${margin}`,
    natural && ' with a Natural',
  ];
  return head + tail.filter(Boolean).join('');
}

function winZh(
  { who, points, cards, margin, natural }: Win,
  w: { sides: Record<Side, string>; either: string; win: string; natural: string; won: string },
): string {
  const sides = who.filter((it): it is Side => it !== 'tie').map((it) => w.sides[it]);
  const names = sides.length === 2 ? [w.either] : sides;
  const on = points ? `以 ${points}` : '';
  const wins = names.map((it) => `${it}${on}${w.win}${margin ? ` ${margin}` : ''}`);
  const ties = who.includes('tie') ? [points ? `${points}和局` : '和局'] : [];
  const head = who.length === 0 ? `${w.won}${points ?? ''}` : [...wins, ...ties].join('或');
  const tail = [cards, natural ? w.natural : null].filter(Boolean);
  return tail.length > 0 ? `${head}（${tail.join('，')}）` : head;
}

const words = catalogue(
  {
    range: (from: number, to: number) => `${from} to ${to}`,
    list: (head: string[], last: number) => `${head.join(', ')} or ${last}`,
    points: (set: string) => set,
    cards: (set: string) => (set === '1' ? '1 card' : `${set} cards`),
    margin: (set: string) => (set === '1' ? '1 point' : `${set} points`),
    win: winEn,
    pointsOf: (side: Side, set: string) => `${EN_SIDE[side]} has a total of ${set}`,
    cardsOf: (side: Side, set: string) => `${EN_SIDE[side]} has ${set} cards`,
    round: (set: string) => `${set} cards in the Round`,
    sum: (set: string) => `both totals add up to ${set}`,
    which: (on: Which, what: 'natural' | 'pair' | 'suited') =>
      EN_WHICH[on]({ natural: 'Natural', pair: 'Pair', suited: 'Suited Pair' }[what]),
    count: (set: string, least: number | null, of: string) =>
      least !== null ? `at least ${least} of: ${of}` : set === '0' ? `none of: ${of}` : `exactly ${set} of: ${of}`,
    join: (parts: string[]) => parts.join(', '),
    always: 'always',
  },
  {
    range: (from: number, to: number) => `${from} 至 ${to}`,
    list: (head: string[], last: number) => `${head.join('、')} 或 ${last}`,
    points: (set: string) => `${set} 点`,
    cards: (set: string) => `${set} 张牌`,
    margin: (set: string) => `${set} 点`,
    win: (it: Win) => winZh(it, { sides: HANS_SIDE, either: '任何一方', win: '胜', natural: '例牌', won: '胜或和' }),
    pointsOf: (side: Side, set: string) => `${HANS_SIDE[side]} ${set} 点`,
    cardsOf: (side: Side, set: string) => `${HANS_SIDE[side]} ${set} 张牌`,
    round: (set: string) => `本局共 ${set} 张牌`,
    sum: (set: string) => `双方点数合计 ${set}`,
    which: (on: Which, what: 'natural' | 'pair' | 'suited') =>
      HANS_WHICH[on]({ natural: '例牌', pair: '对子', suited: '同花对子' }[what]),
    count: (set: string, least: number | null, of: string) => {
      const cards = counted(of, HANS_SUITS);
      return least !== null ? `至少 ${least} 张${cards}` : set === '0' ? `没有${cards}` : `恰好 ${set} 张${cards}`;
    },
    join: (parts: string[]) => parts.join('，'),
    always: '任何结果',
  },
  {
    range: (from: number, to: number) => `${from} 至 ${to}`,
    list: (head: string[], last: number) => `${head.join('、')} 或 ${last}`,
    points: (set: string) => `${set} 點`,
    cards: (set: string) => `${set} 張牌`,
    margin: (set: string) => `${set} 點`,
    win: (it: Win) => winZh(it, { sides: HANT_SIDE, either: '任何一方', win: '勝', natural: '例牌', won: '勝或和' }),
    pointsOf: (side: Side, set: string) => `${HANT_SIDE[side]} ${set} 點`,
    cardsOf: (side: Side, set: string) => `${HANT_SIDE[side]} ${set} 張牌`,
    round: (set: string) => `本局共 ${set} 張牌`,
    sum: (set: string) => `雙方點數合計 ${set}`,
    which: (on: Which, what: 'natural' | 'pair' | 'suited') =>
      HANT_WHICH[on]({ natural: '例牌', pair: '對子', suited: '同花對子' }[what]),
    count: (set: string, least: number | null, of: string) => {
      const cards = counted(of, HANT_SUITS);
      return least !== null ? `至少 ${least} 張${cards}` : set === '0' ? `沒有${cards}` : `恰好 ${set} 張${cards}`;
    },
    join: (parts: string[]) => parts.join('，'),
    always: '任何結果',
  },
);

/** `6`, `6 or 7`, `4 to 9`, `1, 3 or 8`. */
function set(is: readonly number[], tongue: Language): string {
  const t = words[tongue];
  const [first, last] = [is[0]!, is[is.length - 1]!];
  if (is.length === 1) return String(first);
  if (is.length > 2 && last - first === is.length - 1) return t.range(first, last);
  return t.list(is.slice(0, -1).map(String), last);
}

/** A Round has at most six cards, so a run up to six is "at least". */
function least(is: readonly number[]): number | null {
  const first = is[0]!;
  return first > 0 && is.length > 1 && is[is.length - 1] === 6 && is.length === 7 - first ? first : null;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a row asks for, in the language of this screen. */
export function condition(row: PrintedRow, tongue: Language = language.now): string {
  const t = words[tongue];
  const find = <F extends FactTold['fact']>(fact: F): Is<F> | undefined =>
    row.when.find((it): it is Is<F> => it.fact === fact);

  const who = find('winner')?.is ?? [];
  const only = who.length === 1 && who[0] !== 'tie' ? who[0] : null;
  // What the winner's own Hand must have belongs to the phrase about the winner.
  const isWinners = (it: FactTold): boolean =>
    it.fact === 'winner' ||
    it.fact === 'points' ||
    it.fact === 'winner-cards' ||
    it.fact === 'margin' ||
    (it.fact === 'cards-of' && it.side === only) ||
    (it.fact === 'natural' && who.length > 0 && (it.on === 'winner' || it.on === only));

  const own = row.when.filter(isWinners);
  const cards = own.find((it) => it.fact === 'winner-cards' || it.fact === 'cards-of') as
    Is<'winner-cards'> | undefined;
  const [points, margin] = [find('points'), find('margin')];
  const win: Win = {
    who,
    points: points ? t.points(set(points.is, tongue)) : null,
    cards: cards ? t.cards(set(cards.is, tongue)) : null,
    margin: margin ? t.margin(set(margin.is, tongue)) : null,
    natural: own.some((it) => it.fact === 'natural'),
  };
  const others = row.when.filter((it) => !isWinners(it)).map((it) => other(it, tongue));
  const parts = own.length > 0 ? [t.win(win), ...others] : others;
  return capital(parts.length > 0 ? t.join(parts) : t.always);
}

function other(it: FactTold, tongue: Language): string {
  const t = words[tongue];
  switch (it.fact) {
    case 'points-of':
      return t.pointsOf(it.side, set(it.is, tongue));
    case 'cards-of':
      return t.cardsOf(it.side, set(it.is, tongue));
    case 'cards':
      return t.round(set(it.is, tongue));
    case 'natural':
      return t.which(it.on, 'natural');
    case 'pairs':
      return t.which(it.on, 'pair');
    case 'suited-pairs':
      return t.which(it.on, 'suited');
    case 'count':
      return t.count(set(it.is, tongue), least(it.is), it.of);
    case 'sum':
      return t.sum(set(it.is, tongue));
    // These are said of the winner.
    case 'winner':
    case 'points':
    case 'winner-cards':
    case 'margin':
      return '';
  }
}
