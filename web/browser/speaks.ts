// Whether a screen speaks one language, and all of it.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { NAMES, type Language } from '../src/lib/language.svelte';

/** Characters that only one way of writing has, among those that a table needs. */
const SIMPLIFIED =
  '电单显记请时开红额项边余张连续机暂无关闭备换将选择确认结术断为进闲赢废还码内过语轮颜监构规则运现场与乐赌这个营业拟没钱随终来发给账点数复试访钮会办获筹带兑号仅亲录装报属区条启动员职务统见设页说软盖读锁' +
  '别处参盘问实线计对状态联总净间赔输眯调变让继响异弃楼编尝当签权决吗组烧争议么两众岗称据经标写离扫从双补键该须视钟许书销隐诺传错误尽绝专门迟样载适询维验领缴优势较胜应顺';
const TRADITIONAL =
  '電單檯顯記請時開啟斷紅額項邊餘張連續機暫無關閉備換將後選擇確認結術為進閒贏莊廢還碼內過語輪顏監構規則運並現場與樂賭這裡個營業擬沒錢隨終來發給帳點數複復試訪鈕會辦獲籌帶兌號僅親錄裝報屬區條動員職務誌統見' +
  '設頁說軟蓋讀鎖別處參盤問實線計對狀態聯總淨間賠輸瞇調變讓繼響異棄樓編嘗當簽籤權決嗎幾組燒爭議麼兩眾崗稱據經標寫離掃從雙補鍵該須視鐘許書銷隱諾傳錯誤盡絕專門遲樣載適詢維驗領繳彙優勢較勝應順憑';

const LATIN = /[A-Za-z]{2,}/g;
const HAN = /\p{Script=Han}+/gu;
const anyOf = (characters: string): RegExp => new RegExp(`[${characters}]`, 'gu');

/** What does not belong to a language. */
const FOREIGN: Record<Language, RegExp[]> = {
  en: [HAN],
  'zh-Hans': [LATIN, anyOf(TRADITIONAL)],
  'zh-Hant': [LATIN, anyOf(SIMPLIFIED)],
};

/**
 * Every word is there, and in the language of the screen: in what is seen, in names for those who do not see, in the title.
 * `names` may stand in any language.
 */
export async function speaks(page: Page, language: Language, names: string[] = []): Promise<void> {
  const said = await page.evaluate(() => {
    const named = [...document.querySelectorAll('[aria-label], [title], [alt], [placeholder]')];
    const labels = named.flatMap((it) =>
      ['aria-label', 'title', 'alt', 'placeholder'].map((name) => it.getAttribute(name) ?? ''),
    );
    // What was announced was said in the language of its moment.
    const announced = [...document.querySelectorAll('.unseen[aria-live]')].map((it) => it.textContent ?? '');
    const seen = announced.reduce((text, it) => text.replace(it, ''), document.body.innerText);
    return [document.title, seen, ...labels].join('\n');
  });
  expect(said).not.toMatch(/undefined|NaN|\[object|\bnull\b/);
  expect(await page.locator('html').getAttribute('lang')).toBe(language);
  const longestFirst = [...Object.values(NAMES), ...names].sort((a, b) => b.length - a.length);
  const other = longestFirst.reduce((text, name) => text.replaceAll(name, ''), said);
  expect(FOREIGN[language].flatMap((it) => other.match(it) ?? [])).toEqual([]);
}
