import { describe, expect, it } from 'vitest';
import type { BetView, Side } from '../lib/wire';
import { arrange, member, parts } from './felt';

const label = { en: '', 'zh-Hans': '', 'zh-Hant': '' };
const bets = (...ids: string[]): BetView[] =>
  ids.map((bet) => {
    const side = bet === 'player' || bet === 'banker' ? (bet as Side) : null;
    return { bet, label, cite: '4.1', side, range: null };
  });
const numbered = (family: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `${family}-${from + at}`);

const PLAYER = numbered('player-wins-on', 1, 9);
const BANKER = numbered('banker-wins-on', 1, 9);
const TIE = numbered('tie-wins-on', 0, 9);
const PAIRS = ['player-pair', 'any-tie', 'banker-pair'];

/** RWS Appendix A, as it survives. */
const APPENDIX_A = [
  [...PLAYER.slice(0, 3), ...TIE.slice(0, 5), ...BANKER.slice(0, 3)],
  [...PLAYER.slice(3, 6), ...TIE.slice(5), ...BANKER.slice(3, 6)],
  [...PLAYER.slice(6), ...PAIRS, ...PAIRS, ...BANKER.slice(6)],
  ['banker'],
  ['player'],
];
const RWS = bets('player', 'banker', ...PAIRS, ...PLAYER, ...BANKER, ...TIE);

describe('arrange', () => {
  it('draws Appendix A of RWS in its three blocks and two strips', () => {
    const felt = arrange(RWS, APPENDIX_A);
    expect(felt.map((band) => [band.size, band.blocks.length])).toEqual([
      ['side', 3],
      ['main', 1],
      ['main', 1],
    ]);
    const [player, tie, banker] = felt[0]!.blocks;
    expect([player!.family, tie!.family, banker!.family].map((it) => member(it!)?.family)).toEqual([
      'player-wins-on',
      'tie-wins-on',
      'banker-wins-on',
    ]);
    expect(player!.rows.map((row) => row.length)).toEqual([3, 3, 3]);
    expect(tie!.rows.map((row) => row.length)).toEqual([5, 5, 6]);
    expect(tie!.rows[2]).toEqual([...PAIRS, ...PAIRS]);
    expect(felt[1]!.blocks[0]!.rows).toEqual([['banker']]);
  });

  it('lays the electronic game out with Player left and Banker right', () => {
    const felt = arrange(bets('banker', 'player', 'tie', 'banker-pair', 'player-pair'), null);
    expect(felt.map((band) => [band.size, band.blocks[0]!.rows])).toEqual([
      ['between', [['player-pair', 'tie', 'banker-pair']]],
      ['main', [['player', 'banker']]],
    ]);
  });

  it('lays a Tie without pairs between Player and Banker', () => {
    const felt = arrange(bets('player', 'banker', 'tie', 'tiger', 'big-tiger'), null);
    expect(felt.map((band) => [band.size, band.blocks[0]!.rows])).toEqual([
      ['side', [['tiger', 'big-tiger']]],
      ['main', [['player', 'tie', 'banker']]],
    ]);
  });

  it('gives families strips of their own where the picture is lost', () => {
    const felt = arrange(RWS, null);
    expect(felt.map((band) => band.blocks[0]!.rows.map((row) => row.length))).toEqual([[9], [9], [10], [3], [2]]);
  });

  it.each([
    ['every bet of RWS', RWS, null],
    ['every bet of RWS A', RWS, APPENDIX_A],
    ['bets that nobody has heard of', bets('player', 'banker', ...numbered('dragon', 4, 5), 'moon', 'a7', '8'), null],
    ['a felt without Player and Banker', bets('x', 'y', 'z'), null],
    ['one bet', bets('player'), null],
    ['a print that belongs to another layout', bets('player', 'banker'), [['player'], ['other']]],
  ])('finds a place for %s', (_, offered, printed) => {
    const placed = arrange(offered, printed).flatMap((band) => band.blocks.flatMap((block) => block.rows.flat()));
    expect(new Set(placed)).toEqual(new Set(offered.map((it) => it.bet)));
  });

  it('spreads many side bets evenly over rows', () => {
    const felt = arrange(bets(...'abcdefgh'), null);
    expect(felt[0]!.blocks[0]!.rows.map((row) => row.length)).toEqual([4, 4]);
  });
});

describe('parts', () => {
  it('cut a name before its number', () => {
    expect(parts('Player Wins On 7', 'player-wins-on-7')).toEqual(['Player Wins On', '7']);
    expect(parts('闲赢7点', 'player-wins-on-7')).toEqual(['闲赢', '7点']);
    expect(parts('Lucky', 'lucky-7')).toEqual(['Lucky', '7']);
  });
});
