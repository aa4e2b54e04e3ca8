// Words of the roads, as boards print them.

import { catalogue } from '../language.svelte';

export const words = catalogue(
  {
    roads: 'Roads',
    bead: 'Bead plate',
    big: 'Big road',
    derived: { big_eye_boy: 'Big eye boy', small_road: 'Small road', cockroach_pig: 'Cockroach pig' },
    ask: 'Ask',
    asks: { B: 'Banker next', P: 'Player next' },
    glyphs: { B: 'B', P: 'P', T: 'T' },
    outcomes: { B: 'Banker', P: 'Player', T: 'Tie' },
    whole: 'whole mark',
    broken: 'broken mark',
    nothing: 'nothing yet',
    latest: (road: string, rounds: number, last: string) =>
      rounds === 0 ? `${road}: empty` : `${road}: ${rounds} marks, the latest: ${last}`,
    list: ', ',
    counters: 'Counters of this shoe',
    naturals: 'Natural',
    pairs: { B: 'Banker Pair', P: 'Player Pair' },
  },
  {
    roads: '路单',
    bead: '珠盘路',
    big: '大路',
    derived: { big_eye_boy: '大眼仔', small_road: '小路', cockroach_pig: '曱甴路' },
    ask: '问路',
    asks: { B: '庄问路', P: '闲问路' },
    glyphs: { B: '庄', P: '闲', T: '和' },
    outcomes: { B: '庄', P: '闲', T: '和' },
    whole: '实线',
    broken: '断线',
    nothing: '暂无',
    latest: (road: string, rounds: number, last: string) =>
      rounds === 0 ? `${road}：空` : `${road}：共 ${rounds} 个，最近：${last}`,
    list: '、',
    counters: '本靴统计',
    naturals: '例牌',
    pairs: { B: '庄对', P: '闲对' },
  },
  {
    roads: '路單',
    bead: '珠盤路',
    big: '大路',
    derived: { big_eye_boy: '大眼仔', small_road: '小路', cockroach_pig: '曱甴路' },
    ask: '問路',
    asks: { B: '莊問路', P: '閒問路' },
    glyphs: { B: '莊', P: '閒', T: '和' },
    outcomes: { B: '莊', P: '閒', T: '和' },
    whole: '實線',
    broken: '斷線',
    nothing: '暫無',
    latest: (road: string, rounds: number, last: string) =>
      rounds === 0 ? `${road}：空` : `${road}：共 ${rounds} 個，最近：${last}`,
    list: '、',
    counters: '本靴統計',
    naturals: '例牌',
    pairs: { B: '莊對', P: '閒對' },
  },
);

/** The derived roads, each looking one streak further back. */
export const DERIVED = ['big_eye_boy', 'small_road', 'cockroach_pig'] as const;
export type Derived = (typeof DERIVED)[number];
