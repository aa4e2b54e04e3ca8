// What happened, in words: one sentence for each event, in each language. An event without words does not compile.

import { short as shortCard } from '../lib/cards';
import { words as common } from '../lib/i18n/common';
import { rules } from '../lib/i18n/rules';
import { language, type Language } from '../lib/language.svelte';
import { short } from '../lib/money';
import type { BetId, BoxNo, Event, Money, Seen, Side, TableView } from '../lib/wire';

type Kind = Event['event'];

/** How things of a table are called. */
interface Say {
  money: (amount: Money) => string;
  bet: (bet: BetId) => string;
  cards: (cards: Seen[]) => string;
  side: (side: Side | null | undefined) => string;
  box: (box: BoxNo | null | undefined) => string;
  r: (typeof rules)[Language];
  c: (typeof common)[Language];
}

type Sentences = { [K in Kind]: (it: Extract<Event, { event: K }>, say: Say) => string };

const total = (list: { amount: Money }[]): Money => list.reduce((sum, { amount }) => sum + amount, 0);

const en: Sentences = {
  'table-opened': () => 'The table was opened.',
  'settings-changed': () => 'The settings were changed.',
  'closing-announced': ({ last_round }) => `Closing announced: Round ${last_round} is the last.`,
  'table-closed': () => 'The table was closed.',
  'shoe-loaded': ({ shoe, card_set, shuffled_by }) =>
    `Shoe ${shoe} loaded: set ${card_set}${shuffled_by ? `, shuffled by ${shuffled_by}` : ', no shuffle recorded'}.`,
  'cards-inspected': ({ missing, extra }, { cards }) =>
    missing.length + extra.length === 0
      ? 'Cards inspected, complete.'
      : `Cards inspected: missing ${cards(missing)}; too many ${cards(extra)}.`,
  'cards-cut': ({ at }) => `Cut after ${at} cards.`,
  'cards-burnt': ({ count, shown }, { cards }) => `Burnt ${count}${shown ? `, the first ${cards([shown])}` : ''}.`,
  'cut-card-reached': () => 'The cut card is out: this Round is the last of the shoe.',
  'shoe-exchange-required': ({ cite }) => `The cards must be exchanged (${cite}).`,
  'shoe-replacement-ordered': ({ cite }) => `Replacement of the cards ordered (${cite}).`,
  'shoe-retired': ({ shoe, reason }) => `Shoe ${shoe} retired: ${reason}`,
  'shoe-reconciled': ({ shoe }) => `Shoe ${shoe} counted.`,
  'shoe-revealed': ({ shoe }) => `The order of shoe ${shoe} was revealed.`,
  'carried-cards-ruled': ({ keep }) => (keep ? 'Carried cards will be used.' : 'Carried cards are discarded.'),
  'carried-cards-discarded': ({ cards: list }, { cards }) => `Carried cards discarded: ${cards(list)}.`,
  'bets-opened': ({ round, carried }, { cards }) =>
    `Round ${round}: place your bets${carried.length > 0 ? `; it opens with ${cards(carried)}` : ''}.`,
  'wager-registered': ({ patron, bet, amount, box: at, placed_by }, { money, bet: name, box }) =>
    `Patron ${patron}${box(at)}: ${name(bet)} ${money(amount)}${placed_by ? `, placed by ${placed_by}` : ''}.`,
  'wager-withdrawn': ({ patron, bet, amount, box: at }, { money, bet: name, box }) =>
    `Patron ${patron}${box(at)} takes back ${money(amount)} from ${name(bet)}.`,
  'wager-trimmed': ({ patron, bet, amount, box: at, cite }, { money, bet: name, box }) =>
    `Patron ${patron}${box(at)}: ${money(amount)} of ${name(bet)} goes back (${cite}).`,
  'chips-recorded': ({ patron, bet, stake, box: at }, { money, bet: name, box }) =>
    `Patron ${patron}${box(at)}: chips on ${name(bet)}, ${money(stake)}.`,
  'limits-flagged': ({ box: at, cites }) => `Box ${at}: outside the limits (${cites.join(', ')}).`,
  'side-bet-flagged': ({ patron, bet, stake, cite }, { money, bet: name }) =>
    `Patron ${patron}: ${name(bet)} ${money(stake)} is outside its limits (${cite}).`,
  'wager-amended': ({ patron, bet, stake, box: at, cite }, { money, bet: name, box }) =>
    `Patron ${patron}${box(at)}: ${name(bet)} amended to ${money(stake)} (${cite}).`,
  'bets-closed': ({ round, parts }) =>
    `Round ${round}: no more bets.${parts.length > 0 ? ` ${parts.length} wagers play pro rata.` : ''}`,
  'late-bet-refused': ({ patron, bet, stake, cite }, { money, bet: name }) =>
    `Patron ${patron}: late bet of ${money(stake)} on ${name(bet)} refused (${cite}).`,
  'squeeze-asked': ({ patron, card }) => `Patron ${patron} asks to squeeze card ${card}.`,
  'squeeze-answered': ({ patron, card, granted }) =>
    `Patron ${patron}: squeeze of card ${card} ${granted ? 'granted' : 'refused'}.`,
  'card-drawn': ({ card, side: to }, { cards, side }) => `Card: ${cards([card])}${to ? `, ${side(to)}` : ''}.`,
  'card-read': ({ card }, { cards }) => `The card is ${cards([card])}.`,
  'cards-turned': ({ shown }, { cards }) => `Turned over: ${cards(shown)}.`,
  'round-completed': ({ result }, { c }) =>
    `Cards complete: ${c.player} ${result.points.player}, ${c.banker} ${result.points.banker}.`,
  'matter-opened': ({ matter, kind, cite }, { r }) => `Matter ${matter}: ${r.irregularity[kind].name} (${cite}).`,
  ruled: ({ matter, ruling, cite, reason }, { r }) =>
    `Matter ${matter} ruled: ${r.ruling[ruling.ruling].name} (${cite}). ${reason}`,
  'card-misread': ({ at, card }, { cards }) => `Card ${at} was misread; it is ${cards([card])}.`,
  'cards-ordered': ({ order, carried }, { cards }) =>
    `Cards in order: ${cards(order)}${carried.length > 0 ? `; carried: ${cards(carried)}` : ''}.`,
  'round-voided': ({ round, kind, cite, returns }, { money, r }) =>
    `Round ${round} void: ${r.irregularity[kind].name} (${cite}). ${money(total(returns))} goes back.`,
  'choice-offered': ({ patrons }) => `Asked to choose: ${patrons.map((it) => `patron ${it}`).join(', ')}.`,
  'choice-made': ({ patron, choice, silent }) =>
    `Patron ${patron} ${choice === 'continue' ? 'continues' : 'takes the bets back'}${silent ? ' (no answer)' : ''}.`,
  'play-resumed': () => 'Play goes on.',
  'table-interrupted': ({ cite }) => `The table is interrupted (${cite}).`,
  'cards-confirmed': ({ cards: list }, { cards }) => `Cards that are out: ${cards(list)}.`,
  'interruption-resolved': ({ established, because, cite }, { bet }) =>
    established
      ? `An outcome was established: ${because.map(bet).join(', ')}. The Round is concluded (${cite}).`
      : `No outcome was established: the Round is void (${cite}).`,
  'round-settled': ({ round, result }, { c }) =>
    `Round ${round} settled: ${c[result.winner]}, ${result.points.player}–${result.points.banker}.`,
  'round-corrected': ({ round, result, cite }, { c }) =>
    `Round ${round} corrected: ${c[result.winner]}, ${result.points.player}–${result.points.banker} (${cite}).`,
  adjusted: ({ round, cite }) => `Amounts of Round ${round} adjusted (${cite}).`,
  'credits-bought': ({ patron, amount }, { money }) => `Patron ${patron} bought ${money(amount)}.`,
  'ticket-redeemed': ({ patron, amount }, { money }) => `Patron ${patron} redeemed a ticket of ${money(amount)}.`,
  'cashed-out': ({ patron, amount }, { money }) => `Patron ${patron} cashed out ${money(amount)}.`,
  collected: ({ patron, amount }, { money }) => `Collected from patron ${patron}: ${money(amount)}.`,
  'walked-away': ({ patron, cite }) => `Patron ${patron} walked away (${cite}).`,
  'unclaimed-kept': ({ patron, amount }, { money }) => `Kept for patron ${patron}: ${money(amount)}.`,
  'unclaimed-paid': ({ patron, amount }, { money }) => `Paid to patron ${patron}: ${money(amount)}.`,
  'float-opened': ({ amount }, { money }) => `Float opened with ${money(amount)}.`,
  'float-closed': ({ counted, expected }, { money }) =>
    `Float closed: ${money(counted)} counted, ${money(expected)} expected.`,
  filled: ({ amount, slip }, { money }) => `Fill ${slip}: ${money(amount)}.`,
  credited: ({ amount, slip }, { money }) => `Credit ${slip}: ${money(amount)}.`,
  dropped: ({ amount }, { money }) => `Drop: ${money(amount)}.`,
  'terminal-lost': ({ patron }) => `The terminal of patron ${patron} cannot be reached.`,
  'terminal-restored': ({ patron }) => `The terminal of patron ${patron} is back.`,
  'dispute-opened': ({ dispute, words }) => `Dispute ${dispute}: ${words}`,
  'dispute-bundled': ({ dispute }) => `Record bundled for dispute ${dispute}.`,
  'dispute-closed': ({ dispute, words }) => `Dispute ${dispute} closed: ${words}`,
  'post-taken': ({ person, post }, { r }) => `${person} takes the post of ${r.post[post]}.`,
  'post-left': ({ person, post }, { r }) => `${person} leaves the post of ${r.post[post]}.`,
  'shift-started': ({ name }) => `Shift begins: ${name}.`,
  'clock-jumped': () => 'The clock of the server jumped.',
};

const hans: Sentences = {
  'table-opened': () => '赌台已开台。',
  'settings-changed': () => '设置已更改。',
  'closing-announced': ({ last_round }) => `宣布收台：第 ${last_round} 局为最后一局。`,
  'table-closed': () => '赌台已收台。',
  'shoe-loaded': ({ shoe, card_set, shuffled_by }) =>
    `装入第 ${shoe} 靴：牌组 ${card_set}，${shuffled_by ? `洗牌 ${shuffled_by}` : '无洗牌记录'}。`,
  'cards-inspected': ({ missing, extra }, { cards }) =>
    missing.length + extra.length === 0 ? '验牌完毕，齐全。' : `验牌：缺 ${cards(missing)}；多 ${cards(extra)}。`,
  'cards-cut': ({ at }) => `在第 ${at} 张后切牌。`,
  'cards-burnt': ({ count, shown }, { cards }) => `烧牌 ${count} 张${shown ? `，首张 ${cards([shown])}` : ''}。`,
  'cut-card-reached': () => '切牌卡出现：本局为此靴最后一局。',
  'shoe-exchange-required': ({ cite }) => `必须更换牌（${cite}）。`,
  'shoe-replacement-ordered': ({ cite }) => `裁定更换牌（${cite}）。`,
  'shoe-retired': ({ shoe, reason }) => `第 ${shoe} 靴退下：${reason}`,
  'shoe-reconciled': ({ shoe }) => `第 ${shoe} 靴已清点。`,
  'shoe-revealed': ({ shoe }) => `第 ${shoe} 靴的牌序已公开。`,
  'carried-cards-ruled': ({ keep }) => (keep ? '留用的牌将继续使用。' : '留用的牌弃置。'),
  'carried-cards-discarded': ({ cards: list }, { cards }) => `弃置留用的牌：${cards(list)}。`,
  'bets-opened': ({ round, carried }, { cards }) =>
    `第 ${round} 局：请下注${carried.length > 0 ? `；以 ${cards(carried)} 开始` : ''}。`,
  'wager-registered': ({ patron, bet, amount, box: at, placed_by }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：${name(bet)} ${money(amount)}${placed_by ? `，由 ${placed_by} 代下` : ''}。`,
  'wager-withdrawn': ({ patron, bet, amount, box: at }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：从${name(bet)}取回 ${money(amount)}。`,
  'wager-trimmed': ({ patron, bet, amount, box: at, cite }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：${name(bet)}退回 ${money(amount)}（${cite}）。`,
  'chips-recorded': ({ patron, bet, stake, box: at }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：${name(bet)}筹码 ${money(stake)}。`,
  'limits-flagged': ({ box: at, cites }) => `${at} 号位：超出限额（${cites.join('、')}）。`,
  'side-bet-flagged': ({ patron, bet, stake, cite }, { money, bet: name }) =>
    `客人 ${patron}：${name(bet)} ${money(stake)} 超出其限额（${cite}）。`,
  'wager-amended': ({ patron, bet, stake, box: at, cite }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：${name(bet)}更正为 ${money(stake)}（${cite}）。`,
  'bets-closed': ({ round, parts }) =>
    `第 ${round} 局：停止下注。${parts.length > 0 ? `${parts.length} 项投注按比例计算。` : ''}`,
  'late-bet-refused': ({ patron, bet, stake, cite }, { money, bet: name }) =>
    `客人 ${patron}：逾时投注 ${name(bet)} ${money(stake)}，已拒绝（${cite}）。`,
  'squeeze-asked': ({ patron, card }) => `客人 ${patron} 要求眯第 ${card} 张牌。`,
  'squeeze-answered': ({ patron, card, granted }) =>
    `客人 ${patron}：眯第 ${card} 张牌，${granted ? '准许' : '不准'}。`,
  'card-drawn': ({ card, side: to }, { cards, side }) => `发牌：${cards([card])}${to ? `，${side(to)}` : ''}。`,
  'card-read': ({ card }, { cards }) => `此牌为 ${cards([card])}。`,
  'cards-turned': ({ shown }, { cards }) => `翻牌：${cards(shown)}。`,
  'round-completed': ({ result }, { c }) =>
    `牌已发完：${c.player} ${result.points.player}，${c.banker} ${result.points.banker}。`,
  'matter-opened': ({ matter, kind, cite }, { r }) => `事项 ${matter}：${r.irregularity[kind].name}（${cite}）。`,
  ruled: ({ matter, ruling, cite, reason }, { r }) =>
    `事项 ${matter} 裁定：${r.ruling[ruling.ruling].name}（${cite}）。${reason}`,
  'card-misread': ({ at, card }, { cards }) => `第 ${at} 张牌误读，实为 ${cards([card])}。`,
  'cards-ordered': ({ order, carried }, { cards }) =>
    `牌序：${cards(order)}${carried.length > 0 ? `；留用：${cards(carried)}` : ''}。`,
  'round-voided': ({ round, kind, cite, returns }, { money, r }) =>
    `第 ${round} 局作废：${r.irregularity[kind].name}（${cite}）。退还 ${money(total(returns))}。`,
  'choice-offered': ({ patrons }) => `请客人选择：${patrons.join('、')}。`,
  'choice-made': ({ patron, choice, silent }) =>
    `客人 ${patron} ${choice === 'continue' ? '继续' : '取回投注'}${silent ? '（未答复）' : ''}。`,
  'play-resumed': () => '牌局继续。',
  'table-interrupted': ({ cite }) => `赌台中断（${cite}）。`,
  'cards-confirmed': ({ cards: list }, { cards }) => `已发出的牌：${cards(list)}。`,
  'interruption-resolved': ({ established, because, cite }, { bet }) =>
    established
      ? `已有结果确定：${because.map(bet).join('、')}。完成本局（${cite}）。`
      : `未有结果确定：本局作废（${cite}）。`,
  'round-settled': ({ round, result }, { c }) =>
    `第 ${round} 局结算：${c[result.winner]}，${result.points.player}–${result.points.banker}。`,
  'round-corrected': ({ round, result, cite }, { c }) =>
    `第 ${round} 局更正：${c[result.winner]}，${result.points.player}–${result.points.banker}（${cite}）。`,
  adjusted: ({ round, cite }) => `第 ${round} 局金额已调整（${cite}）。`,
  'credits-bought': ({ patron, amount }, { money }) => `客人 ${patron} 买入 ${money(amount)}。`,
  'ticket-redeemed': ({ patron, amount }, { money }) => `客人 ${patron} 兑入票券 ${money(amount)}。`,
  'cashed-out': ({ patron, amount }, { money }) => `客人 ${patron} 兑出 ${money(amount)}。`,
  collected: ({ patron, amount }, { money }) => `向客人 ${patron} 收取 ${money(amount)}。`,
  'walked-away': ({ patron, cite }) => `客人 ${patron} 离台（${cite}）。`,
  'unclaimed-kept': ({ patron, amount }, { money }) => `为客人 ${patron} 保管 ${money(amount)}。`,
  'unclaimed-paid': ({ patron, amount }, { money }) => `付给客人 ${patron} ${money(amount)}。`,
  'float-opened': ({ amount }, { money }) => `启用台面筹码 ${money(amount)}。`,
  'float-closed': ({ counted, expected }, { money }) =>
    `清点台面筹码：实点 ${money(counted)}，应有 ${money(expected)}。`,
  filled: ({ amount, slip }, { money }) => `加彩 ${slip}：${money(amount)}。`,
  credited: ({ amount, slip }, { money }) => `缴彩 ${slip}：${money(amount)}。`,
  dropped: ({ amount }, { money }) => `现金入箱：${money(amount)}。`,
  'terminal-lost': ({ patron }) => `客人 ${patron} 的终端失联。`,
  'terminal-restored': ({ patron }) => `客人 ${patron} 的终端恢复。`,
  'dispute-opened': ({ dispute, words }) => `争议 ${dispute}：${words}`,
  'dispute-bundled': ({ dispute }) => `争议 ${dispute} 的记录已汇集。`,
  'dispute-closed': ({ dispute, words }) => `争议 ${dispute} 了结：${words}`,
  'post-taken': ({ person, post }, { r }) => `${person} 上岗：${r.post[post]}。`,
  'post-left': ({ person, post }, { r }) => `${person} 下岗：${r.post[post]}。`,
  'shift-started': ({ name }) => `班次开始：${name}。`,
  'clock-jumped': () => '服务器时钟跳动。',
};

const hant: Sentences = {
  'table-opened': () => '賭檯已開檯。',
  'settings-changed': () => '設定已更改。',
  'closing-announced': ({ last_round }) => `宣布收檯：第 ${last_round} 局為最後一局。`,
  'table-closed': () => '賭檯已收檯。',
  'shoe-loaded': ({ shoe, card_set, shuffled_by }) =>
    `裝入第 ${shoe} 靴：牌組 ${card_set}，${shuffled_by ? `洗牌 ${shuffled_by}` : '無洗牌記錄'}。`,
  'cards-inspected': ({ missing, extra }, { cards }) =>
    missing.length + extra.length === 0 ? '驗牌完畢，齊全。' : `驗牌：缺 ${cards(missing)}；多 ${cards(extra)}。`,
  'cards-cut': ({ at }) => `在第 ${at} 張後切牌。`,
  'cards-burnt': ({ count, shown }, { cards }) => `燒牌 ${count} 張${shown ? `，首張 ${cards([shown])}` : ''}。`,
  'cut-card-reached': () => '切牌卡出現：本局為此靴最後一局。',
  'shoe-exchange-required': ({ cite }) => `必須更換牌（${cite}）。`,
  'shoe-replacement-ordered': ({ cite }) => `裁定更換牌（${cite}）。`,
  'shoe-retired': ({ shoe, reason }) => `第 ${shoe} 靴退下：${reason}`,
  'shoe-reconciled': ({ shoe }) => `第 ${shoe} 靴已清點。`,
  'shoe-revealed': ({ shoe }) => `第 ${shoe} 靴的牌序已公開。`,
  'carried-cards-ruled': ({ keep }) => (keep ? '留用的牌將繼續使用。' : '留用的牌棄置。'),
  'carried-cards-discarded': ({ cards: list }, { cards }) => `棄置留用的牌：${cards(list)}。`,
  'bets-opened': ({ round, carried }, { cards }) =>
    `第 ${round} 局：請下注${carried.length > 0 ? `；以 ${cards(carried)} 開始` : ''}。`,
  'wager-registered': ({ patron, bet, amount, box: at, placed_by }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：${name(bet)} ${money(amount)}${placed_by ? `，由 ${placed_by} 代下` : ''}。`,
  'wager-withdrawn': ({ patron, bet, amount, box: at }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：從${name(bet)}取回 ${money(amount)}。`,
  'wager-trimmed': ({ patron, bet, amount, box: at, cite }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：${name(bet)}退回 ${money(amount)}（${cite}）。`,
  'chips-recorded': ({ patron, bet, stake, box: at }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：${name(bet)}籌碼 ${money(stake)}。`,
  'limits-flagged': ({ box: at, cites }) => `${at} 號位：超出限額（${cites.join('、')}）。`,
  'side-bet-flagged': ({ patron, bet, stake, cite }, { money, bet: name }) =>
    `客人 ${patron}：${name(bet)} ${money(stake)} 超出其限額（${cite}）。`,
  'wager-amended': ({ patron, bet, stake, box: at, cite }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：${name(bet)}更正為 ${money(stake)}（${cite}）。`,
  'bets-closed': ({ round, parts }) =>
    `第 ${round} 局：停止下注。${parts.length > 0 ? `${parts.length} 項投注按比例計算。` : ''}`,
  'late-bet-refused': ({ patron, bet, stake, cite }, { money, bet: name }) =>
    `客人 ${patron}：逾時投注 ${name(bet)} ${money(stake)}，已拒絕（${cite}）。`,
  'squeeze-asked': ({ patron, card }) => `客人 ${patron} 要求瞇第 ${card} 張牌。`,
  'squeeze-answered': ({ patron, card, granted }) =>
    `客人 ${patron}：瞇第 ${card} 張牌，${granted ? '准許' : '不准'}。`,
  'card-drawn': ({ card, side: to }, { cards, side }) => `發牌：${cards([card])}${to ? `，${side(to)}` : ''}。`,
  'card-read': ({ card }, { cards }) => `此牌為 ${cards([card])}。`,
  'cards-turned': ({ shown }, { cards }) => `翻牌：${cards(shown)}。`,
  'round-completed': ({ result }, { c }) =>
    `牌已發完：${c.player} ${result.points.player}，${c.banker} ${result.points.banker}。`,
  'matter-opened': ({ matter, kind, cite }, { r }) => `事項 ${matter}：${r.irregularity[kind].name}（${cite}）。`,
  ruled: ({ matter, ruling, cite, reason }, { r }) =>
    `事項 ${matter} 裁定：${r.ruling[ruling.ruling].name}（${cite}）。${reason}`,
  'card-misread': ({ at, card }, { cards }) => `第 ${at} 張牌誤讀，實為 ${cards([card])}。`,
  'cards-ordered': ({ order, carried }, { cards }) =>
    `牌序：${cards(order)}${carried.length > 0 ? `；留用：${cards(carried)}` : ''}。`,
  'round-voided': ({ round, kind, cite, returns }, { money, r }) =>
    `第 ${round} 局作廢：${r.irregularity[kind].name}（${cite}）。退還 ${money(total(returns))}。`,
  'choice-offered': ({ patrons }) => `請客人選擇：${patrons.join('、')}。`,
  'choice-made': ({ patron, choice, silent }) =>
    `客人 ${patron} ${choice === 'continue' ? '繼續' : '取回投注'}${silent ? '（未答覆）' : ''}。`,
  'play-resumed': () => '牌局繼續。',
  'table-interrupted': ({ cite }) => `賭檯中斷（${cite}）。`,
  'cards-confirmed': ({ cards: list }, { cards }) => `已發出的牌：${cards(list)}。`,
  'interruption-resolved': ({ established, because, cite }, { bet }) =>
    established
      ? `已有結果確定：${because.map(bet).join('、')}。完成本局（${cite}）。`
      : `未有結果確定：本局作廢（${cite}）。`,
  'round-settled': ({ round, result }, { c }) =>
    `第 ${round} 局結算：${c[result.winner]}，${result.points.player}–${result.points.banker}。`,
  'round-corrected': ({ round, result, cite }, { c }) =>
    `第 ${round} 局更正：${c[result.winner]}，${result.points.player}–${result.points.banker}（${cite}）。`,
  adjusted: ({ round, cite }) => `第 ${round} 局金額已調整（${cite}）。`,
  'credits-bought': ({ patron, amount }, { money }) => `客人 ${patron} 買入 ${money(amount)}。`,
  'ticket-redeemed': ({ patron, amount }, { money }) => `客人 ${patron} 兌入票券 ${money(amount)}。`,
  'cashed-out': ({ patron, amount }, { money }) => `客人 ${patron} 兌出 ${money(amount)}。`,
  collected: ({ patron, amount }, { money }) => `向客人 ${patron} 收取 ${money(amount)}。`,
  'walked-away': ({ patron, cite }) => `客人 ${patron} 離檯（${cite}）。`,
  'unclaimed-kept': ({ patron, amount }, { money }) => `為客人 ${patron} 保管 ${money(amount)}。`,
  'unclaimed-paid': ({ patron, amount }, { money }) => `付給客人 ${patron} ${money(amount)}。`,
  'float-opened': ({ amount }, { money }) => `啟用檯面籌碼 ${money(amount)}。`,
  'float-closed': ({ counted, expected }, { money }) =>
    `清點檯面籌碼：實點 ${money(counted)}，應有 ${money(expected)}。`,
  filled: ({ amount, slip }, { money }) => `加彩 ${slip}：${money(amount)}。`,
  credited: ({ amount, slip }, { money }) => `繳彩 ${slip}：${money(amount)}。`,
  dropped: ({ amount }, { money }) => `現金入箱：${money(amount)}。`,
  'terminal-lost': ({ patron }) => `客人 ${patron} 的終端機失聯。`,
  'terminal-restored': ({ patron }) => `客人 ${patron} 的終端機恢復。`,
  'dispute-opened': ({ dispute, words }) => `爭議 ${dispute}：${words}`,
  'dispute-bundled': ({ dispute }) => `爭議 ${dispute} 的記錄已彙集。`,
  'dispute-closed': ({ dispute, words }) => `爭議 ${dispute} 了結：${words}`,
  'post-taken': ({ person, post }, { r }) => `${person} 上崗：${r.post[post]}。`,
  'post-left': ({ person, post }, { r }) => `${person} 下崗：${r.post[post]}。`,
  'shift-started': ({ name }) => `班次開始：${name}。`,
  'clock-jumped': () => '伺服器時鐘跳動。',
};

const SENTENCES: Record<Language, Sentences> = { en, 'zh-Hans': hans, 'zh-Hant': hant };

const BOX: Record<Language, (box: BoxNo) => string> = {
  en: (box) => `, box ${box}`,
  'zh-Hans': (box) => `，${box} 号位`,
  'zh-Hant': (box) => `，${box} 號位`,
};

/** A card as the log writes it: `10♥`, or what it is if it is none. */
export function cardName(seen: Seen, in_: Language = language.now): string {
  const short = shortCard(seen);
  if (short !== '?') return short;
  const c = common[in_];
  if (seen === 'covered') return c.covered;
  return seen.startsWith('foreign:') ? seen.slice('foreign:'.length) : c.unreadable;
}

/** What happened, as a sentence. */
export function tell(event: Event, table: TableView | null): string {
  const now = language.now;
  const currency = table?.currency ?? 'SGD';
  const say: Say = {
    money: (amount) => short(amount, currency),
    bet: (bet) => table?.bets.find((it) => it.bet === bet)?.label[now] ?? bet,
    cards: (cards) => (cards.length === 0 ? '–' : cards.map((card) => cardName(card, now)).join(' ')),
    side: (side) => (side ? common[now][side] : ''),
    box: (box) => (box ? BOX[now](box) : ''),
    r: rules[now],
    c: common[now],
  };
  // Each sentence is made for its own event; which one it is the compiler cannot follow through the look-up.
  const sentence = SENTENCES[now][event.event] as ((it: Event, say: Say) => string) | undefined;
  return sentence ? sentence(event, say) : event.event;
}
