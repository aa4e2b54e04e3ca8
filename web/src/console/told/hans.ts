// 事件，简体中文。

import { hans as words } from '../words/hans';
import { total, type Sentences } from './say';

export const hans: Sentences = {
  'table-opened': () => '赌台已开台。',
  'settings-changed': () => '设置已更改。',
  'limits-announced': ({ from }, { time }) => `已宣布新限红，自 ${time(from)} 之后的第一局起生效。`,
  'limits-changed': () => '已宣布的限红现已生效。',
  'closing-announced': ({ last_round }) => `宣布收台：第 ${last_round} 局为最后一局。`,
  'last-round-dropped': ({ round }) => `原宣布为最后一局的第 ${round} 局不再进行。`,
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
  'stack-flagged': ({ patron, box, bet, stake, unit }, say) =>
    `客人 ${patron}${say.box(box)}：${say.bet(bet)} ${say.money(stake)} 不是单位 ${say.money(unit)} 的整数倍。`,
  'patron-advised': ({ patron, bet, stake, box: at, cite }, { money, bet: name, box }) =>
    `已告知客人 ${patron}${box(at)}：${name(bet)} ${money(stake)} 超出限额（${cite}）。`,
  'wager-returned': ({ patron, bet, amount, box: at, cite }, { money, bet: name, box }) =>
    `客人 ${patron}${box(at)}：${name(bet)}超出限额，退回 ${money(amount)}（${cite}）。`,
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
  'card-corrected': ({ at, was, card }, { cards }) => `第 ${at} 张牌误输入为 ${cards([was])}，实为 ${cards([card])}。`,
  'card-misread': ({ at, card }, { cards }) => `第 ${at} 张牌误读，实为 ${cards([card])}。`,
  'cards-ordered': ({ order, carried }, { cards }) =>
    `牌序：${cards(order)}${carried.length > 0 ? `；留用：${cards(carried)}` : ''}。`,
  'round-voided': ({ round, kind, cite, returns }, { money, r }) =>
    `第 ${round} 局作废：${r.irregularity[kind].name}（${cite}）。退还 ${money(total(returns))}。`,
  'choice-offered': ({ patrons }) => `请客人选择：${patrons.join('、')}。`,
  'choice-made': ({ patron, choice, silent }) =>
    `客人 ${patron} ${choice === 'continue' ? '继续' : '取回投注'}${silent ? '（未答复）' : ''}。`,
  'play-resumed': () => '牌局继续。',
  'table-interrupted': ({ cause, cite }) => `赌台中断${cause ? `：${words.cause[cause]}` : ''}（${cite}）。`,
  'cards-confirmed': ({ cards: list }, { cards }) => `已发出的牌：${cards(list)}。`,
  'interruption-resolved': ({ established, because, cite }, { bet }) =>
    established
      ? `已有结果确定：${because.map(bet).join('、')}。完成本局（${cite}）。`
      : `未有结果确定：本局作废（${cite}）。`,
  'round-settled': ({ round, result }, { c }) =>
    `第 ${round} 局结算：${c[result.winner]}，${result.points.player}–${result.points.banker}。`,
  'round-corrected': ({ round, result, cite }, { c }) =>
    `第 ${round} 局更正：${c[result.winner]}，${result.points.player}–${result.points.banker}（${cite}）。`,
  'round-amended': ({ round, patron, bet, stake, box }, say) =>
    `第 ${round} 局重新结算：客人 ${patron} 的${say.bet(bet)}${say.box(box)}为 ${say.money(stake)}。`,
  adjusted: ({ round, cite }) => `第 ${round} 局金额已调整（${cite}）。`,
  'push-recorded': ({ round, patron, payout, counted, cite }, { money }) =>
    `第 ${round} 局：客人 ${patron} 实收 ${money(counted)}，应付 ${money(payout)}（${cite}）。`,
  'credits-bought': ({ patron, amount }, { money }) => `客人 ${patron} 买入 ${money(amount)}。`,
  'ticket-redeemed': ({ patron, amount }, { money }) => `客人 ${patron} 兑入票券 ${money(amount)}。`,
  'note-accepted': ({ patron, amount, acceptor }, { money }) =>
    `客人 ${patron} 投入纸币 ${money(amount)}（${acceptor}）。`,
  'case-opened': ({ case: no, patron, cite }) => `第 ${no} 号事项：客人 ${patron} 的纸币或票券（${cite}）。`,
  'case-settled': ({ case: no, patron, cite }) => `第 ${no} 号事项（客人 ${patron}）已处理（${cite}）。`,
  'acceptor-emptied': ({ drop, acceptor, cite }) => `${acceptor} 的第 ${drop} 号收钞箱已取出（${cite}）。`,
  'acceptor-counted': ({ drop, acceptor, counted, cite }, { money }) =>
    `${acceptor} 的第 ${drop} 号收钞箱点算为 ${money(counted)}（${cite}）。`,
  'cash-out-held': ({ patron, amount, slip, cite }, { money }) =>
    `客人 ${patron} 的 ${money(amount)} 暂时保留，凭条 ${slip}（${cite}）。`,
  'payout-hold-ordered': ({ patron, round, slip, cite }) =>
    `客人 ${patron} 第 ${round} 局的派彩须扣留，不得派出。单据 ${slip}（${cite}）。`,
  'payout-held': ({ patron, amount, slip, cite }, { money }) =>
    `已扣留客人 ${patron} 的派彩 ${money(amount)}，单据 ${slip}（${cite}）。`,
  'held-decided': ({ patron, amount, slip, outcome, cite }, { money }) =>
    `单据 ${slip}：客人 ${patron} 的 ${money(amount)} ${outcome === 'released' ? '已发还' : '已没收'}（${cite}）。`,
  'hold-extended': ({ matter, cite }) => `第 ${matter} 号事项的保留款项延长一日（${cite}）。`,
  'cashed-out': ({ patron, amount }, { money }) => `客人 ${patron} 兑出 ${money(amount)}。`,
  collected: ({ patron, amount }, { money }) => `向客人 ${patron} 收取 ${money(amount)}。`,
  'hand-accepted': ({ side, patron }) => `${side === 'player' ? '闲家' : '庄家'}的牌交给客人 ${patron}。`,
  'float-covered': ({ cause, cite }) => `筹码盘已遮盖：${words.cause[cause]}（${cite}）。`,
  'float-uncovered': ({ second, cite }) => `筹码盘已揭开，与 ${second} 一同（${cite}）。`,
  'seat-taken': ({ patron, box }) => `客人 ${patron} 在投注位 ${box} 入座。`,
  'seat-left': ({ patron, box }) => `客人 ${patron} 离开投注位 ${box} 的座位。`,
  'walked-away': ({ patron, cite }) => `客人 ${patron} 离台（${cite}）。`,
  'unclaimed-kept': ({ patron, amount }, { money }) => `为客人 ${patron} 保管 ${money(amount)}。`,
  'set-aside-reviewed': ({ patron, slip, cite }) => `客人 ${patron} 的凭条 ${slip} 已复核（${cite}）。`,
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
  'dispute-seen': ({ dispute, surveillance }) =>
    surveillance ? `争议 ${dispute} 系及时提出：${surveillance}` : `争议 ${dispute} 已查看。`,
  'dispute-closed': ({ dispute, words }) => `争议 ${dispute} 了结：${words}`,
  'post-taken': ({ person, post }, { r }) => `${person} 上岗：${r.post[post]}。`,
  'post-left': ({ person, post }, { r }) => `${person} 下岗：${r.post[post]}。`,
  'shift-started': ({ name }) => `班次开始：${name}。`,
  'clock-jumped': () => '服务器时钟跳动。',
};
