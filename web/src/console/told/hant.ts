// 事件，繁體中文。

import { hant as words } from '../words/hant';
import { total, type Sentences } from './say';

export const hant: Sentences = {
  'table-opened': () => '賭檯已開檯。',
  'settings-changed': () => '設定已更改。',
  'limits-announced': ({ from }, { time }) => `已宣布新限紅，自 ${time(from)} 之後的第一局起生效。`,
  'limits-changed': () => '已宣布的限紅現已生效。',
  'closing-announced': ({ last_round }) => `宣布收檯：第 ${last_round} 局為最後一局。`,
  'last-round-dropped': ({ round }) => `原宣布為最後一局的第 ${round} 局不再進行。`,
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
  'stack-flagged': ({ patron, box, bet, stake, unit }, say) =>
    `客人 ${patron}${say.box(box)}：${say.bet(bet)} ${say.money(stake)} 不是單位 ${say.money(unit)} 的整數倍。`,
  'patron-advised': ({ patron, bet, stake, box: at, cite }, { money, bet: name, box }) =>
    `已告知客人 ${patron}${box(at)}：${name(bet)} ${money(stake)} 超出限額（${cite}）。`,
  'wager-returned': ({ patron, bet, amount, box: at, cite }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：${name(bet)}超出限額，退回 ${money(amount)}（${cite}）。`,
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
  'card-corrected': ({ at, was, card }, { cards }) => `第 ${at} 張牌誤輸入為 ${cards([was])}，實為 ${cards([card])}。`,
  'card-misread': ({ at, card }, { cards }) => `第 ${at} 張牌誤讀，實為 ${cards([card])}。`,
  'cards-ordered': ({ order, carried }, { cards }) =>
    `牌序：${cards(order)}${carried.length > 0 ? `；留用：${cards(carried)}` : ''}。`,
  'round-voided': ({ round, kind, cite, returns }, { money, r }) =>
    `第 ${round} 局作廢：${r.irregularity[kind].name}（${cite}）。退還 ${money(total(returns))}。`,
  'choice-offered': ({ patrons }) => `請客人選擇：${patrons.join('、')}。`,
  'choice-made': ({ patron, choice, silent }) =>
    `客人 ${patron} ${choice === 'continue' ? '繼續' : '取回投注'}${silent ? '（未答覆）' : ''}。`,
  'play-resumed': () => '牌局繼續。',
  'table-interrupted': ({ cause, cite }) => `賭檯中斷${cause ? `：${words.cause[cause]}` : ''}（${cite}）。`,
  'cards-confirmed': ({ cards: list }, { cards }) => `已發出的牌：${cards(list)}。`,
  'interruption-resolved': ({ established, because, cite }, { bet }) =>
    established
      ? `已有結果確定：${because.map(bet).join('、')}。完成本局（${cite}）。`
      : `未有結果確定：本局作廢（${cite}）。`,
  'round-settled': ({ round, result }, { c }) =>
    `第 ${round} 局結算：${c[result.winner]}，${result.points.player}–${result.points.banker}。`,
  'round-corrected': ({ round, result, cite }, { c }) =>
    `第 ${round} 局更正：${c[result.winner]}，${result.points.player}–${result.points.banker}（${cite}）。`,
  'round-amended': ({ round, patron, bet, stake, box }, say) =>
    `第 ${round} 局重新結算：客人 ${patron} 的${say.bet(bet)}${say.box(box)}為 ${say.money(stake)}。`,
  adjusted: ({ round, cite }) => `第 ${round} 局金額已調整（${cite}）。`,
  'push-recorded': ({ round, patron, payout, counted, cite }, { money }) =>
    `第 ${round} 局：客人 ${patron} 實收 ${money(counted)}，應付 ${money(payout)}（${cite}）。`,
  'credits-bought': ({ patron, amount }, { money }) => `客人 ${patron} 買入 ${money(amount)}。`,
  'ticket-redeemed': ({ patron, amount }, { money }) => `客人 ${patron} 兌入票券 ${money(amount)}。`,
  'note-accepted': ({ patron, amount, acceptor }, { money }) =>
    `客人 ${patron} 投入紙幣 ${money(amount)}（${acceptor}）。`,
  'case-opened': ({ case: no, patron, cite }) => `第 ${no} 號事項：客人 ${patron} 的紙幣或票券（${cite}）。`,
  'case-settled': ({ case: no, patron, cite }) => `第 ${no} 號事項（客人 ${patron}）已處理（${cite}）。`,
  'acceptor-emptied': ({ drop, acceptor, cite }) => `${acceptor} 的第 ${drop} 號收鈔箱已取出（${cite}）。`,
  'acceptor-counted': ({ drop, acceptor, counted, cite }, { money }) =>
    `${acceptor} 的第 ${drop} 號收鈔箱點算為 ${money(counted)}（${cite}）。`,
  'cash-out-held': ({ patron, amount, slip, cite }, { money }) =>
    `客人 ${patron} 的 ${money(amount)} 暫時保留，憑條 ${slip}（${cite}）。`,
  'payout-hold-ordered': ({ patron, round, slip, cite }) =>
    `客人 ${patron} 第 ${round} 局的派彩須扣留，不得派出。單據 ${slip}（${cite}）。`,
  'payout-held': ({ patron, amount, slip, cite }, { money }) =>
    `已扣留客人 ${patron} 的派彩 ${money(amount)}，單據 ${slip}（${cite}）。`,
  'held-decided': ({ patron, amount, slip, outcome, cite }, { money }) =>
    `單據 ${slip}：客人 ${patron} 的 ${money(amount)} ${outcome === 'released' ? '已發還' : '已沒收'}（${cite}）。`,
  'hold-extended': ({ matter, cite }) => `第 ${matter} 號事項的保留款項延長一日（${cite}）。`,
  'cashed-out': ({ patron, amount }, { money }) => `客人 ${patron} 兌出 ${money(amount)}。`,
  collected: ({ patron, amount }, { money }) => `向客人 ${patron} 收取 ${money(amount)}。`,
  'hand-accepted': ({ side, patron }) => `${side === 'player' ? '閒家' : '莊家'}的牌交給客人 ${patron}。`,
  'float-covered': ({ cause, cite }) => `籌碼盤已遮蓋：${words.cause[cause]}（${cite}）。`,
  'float-uncovered': ({ second, cite }) => `籌碼盤已揭開，與 ${second} 一同（${cite}）。`,
  'seat-taken': ({ patron, box }) => `客人 ${patron} 在投注位 ${box} 入座。`,
  'seat-left': ({ patron, box }) => `客人 ${patron} 離開投注位 ${box} 的座位。`,
  'walked-away': ({ patron, cite }) => `客人 ${patron} 離檯（${cite}）。`,
  'unclaimed-kept': ({ patron, amount }, { money }) => `為客人 ${patron} 保管 ${money(amount)}。`,
  'set-aside-reviewed': ({ patron, slip, cite }) => `客人 ${patron} 的憑條 ${slip} 已覆核（${cite}）。`,
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
  'dispute-seen': ({ dispute, surveillance }) =>
    surveillance ? `爭議 ${dispute} 係及時提出：${surveillance}` : `爭議 ${dispute} 已查看。`,
  'dispute-closed': ({ dispute, words }) => `爭議 ${dispute} 了結：${words}`,
  'post-taken': ({ person, post }, { r }) => `${person} 上崗：${r.post[post]}。`,
  'post-left': ({ person, post }, { r }) => `${person} 下崗：${r.post[post]}。`,
  'shift-started': ({ name }) => `班次開始：${name}。`,
  'clock-jumped': () => '伺服器時鐘跳動。',
};
