import { describe, expect, it } from 'vitest';
import { news, type Moment } from './announce';

const QUIET: Moment = { said: 'betting', seconds: 12, result: null, round: 7 };

describe('news', () => {
  it('are told at first', () => {
    expect(news(null, QUIET)).toEqual({ said: 'betting' });
  });

  it('are not that a second passed', () => {
    expect(news(QUIET, { ...QUIET, seconds: 11 })).toBeNull();
  });

  it('are ten and five seconds, once each', () => {
    const ten = { ...QUIET, seconds: 10 };
    expect(news({ ...QUIET, seconds: 11 }, ten)).toEqual({ seconds: 10 });
    expect(news(ten, ten)).toBeNull();
    expect(news({ ...QUIET, seconds: 6 }, { ...QUIET, said: 'last-bets', seconds: 5 })).toEqual({
      said: 'last-bets',
      seconds: 5,
    });
  });

  it('are a result with what comes next, and not that it calms down', () => {
    const dealing: Moment = { said: 'no-more-bets', seconds: null, result: null, round: 7 };
    const settled: Moment = { said: 'waiting', seconds: null, result: 'banker', round: 7 };
    expect(news(dealing, settled)).toEqual({ result: 'banker', said: 'waiting' });
    expect(news(settled, { ...settled, said: 'betting' })).toEqual({ said: 'betting' });
    expect(news(settled, { ...settled, result: null })).toBeNull();
  });

  it('are the same result of another Round, and another result of the same Round', () => {
    const settled: Moment = { said: 'waiting', seconds: null, result: 'banker', round: 7 };
    expect(news(settled, { ...settled, round: 8 })).toEqual({ result: 'banker' });
    expect(news(settled, { ...settled, result: 'player' })).toEqual({ result: 'player' });
  });
});
