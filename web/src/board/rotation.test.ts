import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { language } from '../lib/language.svelte';
import { plan, Rotation } from './rotation.svelte';

describe('the plan', () => {
  it('is all languages, fifteen seconds each', () => {
    expect(plan('')).toEqual({ languages: ['en', 'zh-Hans', 'zh-Hant'], every: 15 });
  });

  it('is one language where one is fixed, even beside a list', () => {
    expect(plan('?lang=zh-Hans&rotate=en,zh-Hant').languages).toEqual(['zh-Hans']);
  });

  it('is the languages chosen, each once, in their order', () => {
    expect(plan('?rotate=zh-Hant,en,zh-Hant').languages).toEqual(['zh-Hant', 'en']);
  });

  it('does not follow an address that makes no sense', () => {
    expect(plan('?lang=fr&rotate=xx,').languages).toEqual(['en', 'zh-Hans', 'zh-Hant']);
    expect(plan('?every=soon').every).toBe(15);
    expect(plan('?every=0.1').every).toBe(5);
  });
});

describe('the rotation', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    language.use('en', false);
  });

  it('goes round', () => {
    const stop = new Rotation({ languages: ['zh-Hant', 'en'], every: 15 }).start();
    const seen = [language.now];
    for (let turn = 0; turn < 3; turn += 1) {
      vi.advanceTimersByTime(15_000);
      seen.push(language.now);
    }
    expect(seen).toEqual(['zh-Hant', 'en', 'zh-Hant', 'en']);
    stop();
  });

  it('does not turn before it is started, nor after it was stopped', () => {
    const rotation = new Rotation({ languages: ['en', 'zh-Hans'], every: 15 });
    vi.advanceTimersByTime(60_000);
    expect(language.now).toBe('en');
    rotation.start()();
    vi.advanceTimersByTime(60_000);
    expect(language.now).toBe('en');
  });

  it('stands still while it is paused and goes on from there', () => {
    const rotation = new Rotation({ languages: ['en', 'zh-Hans'], every: 15 });
    const stop = rotation.start();
    rotation.toggle();
    vi.advanceTimersByTime(60_000);
    expect([rotation.paused, language.now]).toEqual([true, 'en']);
    rotation.toggle();
    vi.advanceTimersByTime(15_000);
    expect(language.now).toBe('zh-Hans');
    stop();
  });

  it('keeps a language that somebody chose', () => {
    const rotation = new Rotation({ languages: ['en', 'zh-Hans', 'zh-Hant'], every: 15 });
    const stop = rotation.start();
    rotation.hold('zh-Hant');
    vi.advanceTimersByTime(60_000);
    expect([rotation.paused, language.now]).toEqual([true, 'zh-Hant']);
    stop();
  });

  it('does not remember for other screens', () => {
    new Rotation({ languages: ['zh-Hant'], every: 15 }).start()();
    expect(localStorage.getItem('punto-language')).toBeNull();
  });
});
