// Words on the felt that every screen with cards uses.

import { catalogue } from '../language.svelte';

export const words = catalogue(
  {
    hand: { player: 'Player Hand', banker: 'Banker Hand' },
    wins: 'wins',
    tie: 'Tie',
    noCards: 'no cards yet',
    aside: 'Not placed',
  },
  {
    hand: { player: '闲家', banker: '庄家' },
    wins: '胜',
    tie: '和局',
    noCards: '尚未发牌',
    aside: '未归位',
  },
  {
    hand: { player: '閒家', banker: '莊家' },
    wins: '勝',
    tie: '和局',
    noCards: '尚未發牌',
    aside: '未歸位',
  },
);
