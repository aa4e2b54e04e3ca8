// The words of the rules in three languages: irregularities, rulings, posts, phases, orders. In our own words; the
// paragraph is cited beside them, from the rule book. A word of the wire that is missing here does not compile.
// Not confirmed on a real floor: 异牌 (foreign card), 加彩 and 缴彩 (fill and credit), 赌区主任 (Pit Supervisor).

import { catalogue, language } from '../language.svelte';
import type { Burn, CommandKind, Discretion, IrregularityKind, PhaseWord, Post, Role, RulingWord } from '../wire';

// Types and not interfaces: only those are a catalogue's groups of words.
type Irregularity = {
  name: string;
  /** When to report it. */
  when: string;
};

type RulingTold = {
  name: string;
  /** What follows from it. */
  follows: string;
};

type RuleWords = {
  irregularity: Record<IrregularityKind, Irregularity>;
  ruling: Record<RulingWord, RulingTold>;
  post: Record<Post, string>;
  /** That post or one above it. */
  orAbove: Record<Post, string>;
  role: Record<Role, string>;
  discretion: Record<Discretion, string>;
  phase: Record<PhaseWord, string>;
  command: Record<CommandKind, string>;
  burnFixed: (cards: number) => string;
  burnByFirstCard: string;
};

const en: RuleWords = {
  irregularity: {
    'over-differential': {
      name: 'Over the Differential',
      when: 'One side of a betting box outweighs the other by more than the table allows.',
    },
    'under-minimum': {
      name: 'Under the minimum',
      when: 'A bet is smaller than the table allows.',
    },
    'walk-away': {
      name: 'Patron walked away',
      when: 'Somebody has left the table and their bets still stand. The bets play and are settled.',
    },
    'technical-interruption': {
      name: 'Technical interruption',
      when: 'Power, light or equipment fails in the middle of a Round. With an outcome established the Round is concluded, otherwise it is void.',
    },
    'terminal-interruption': {
      name: 'Terminal interruption',
      when: 'Player Terminals fail while the table itself runs. Registered bets play.',
    },
    'foreign-card': {
      name: 'Foreign card',
      when: 'A card has come up that does not belong to this set: a joker, another back, a promotional card.',
    },
    'shortage-or-excess': {
      name: 'Cards missing or too many',
      when: 'The set does not add up: a card is missing, or there is one copy more than there should be.',
    },
    'wrong-number-of-cards': {
      name: 'Wrong number of cards',
      when: 'A Hand holds a card too many or too few, and it is noticed before the next Round.',
    },
    'shoe-exhausted': {
      name: 'Shoe exhausted',
      when: 'There are not enough cards left to finish the Round.',
    },
    'not-shuffled': {
      name: 'Cards not shuffled',
      when: 'These cards came into play without having been shuffled.',
    },
    'late-bet': {
      name: 'Late bet',
      when: 'Chips were placed, raised or taken away after “No more bets”. They are refused and go back.',
    },
    'excess-or-exposed-card': {
      name: 'Excess or exposed card',
      when: 'A card left the shoe that was not due, or was seen before its time.',
    },
    'wrong-side': {
      name: 'Card on the wrong side',
      when: 'A card lies with the other Hand, or was given to the person who holds the other Hand.',
    },
    'face-up': {
      name: 'Dealt face up',
      when: 'At a table that deals face down, a card was dealt face up.',
    },
    'simultaneous-draw': {
      name: 'Cards drawn together',
      when: 'Two or more cards left the shoe at once. Whoever decides says which counts first.',
    },
    'other-dealing-error': {
      name: 'Other dealing error',
      when: 'Something in the dealing went wrong that has no paragraph of its own and is no cause for a void.',
    },
    'late-discovery': {
      name: 'Noticed too late',
      when: 'An error of an earlier Round is noticed only after the next one has begun. Both Rounds stand; it goes on record.',
    },
    'bet-placed-in-error': {
      name: 'Bet placed in error',
      when: 'A patron says that a bet was not meant so. It plays all the same; it goes on record.',
    },
    'wrong-result': {
      name: 'Wrong result',
      when: 'The result was registered or shown otherwise than the cards lie. Until the next Round it is corrected to the cards.',
    },
    uncovered: {
      name: 'Not covered by the rules',
      when: 'No paragraph provides for what has happened. The Table Games Shift Manager decides.',
    },
  },
  ruling: {
    void: {
      name: 'Void the Round',
      follows: 'The Round has no result. Every bet of it goes back; earlier Rounds stand.',
    },
    misread: {
      name: 'It was a misreading',
      follows: 'Nothing of the kind was there. A card that was taken for another is put right and the Round goes on.',
    },
    reconstruct: {
      name: 'Reconstruct',
      follows: 'The cards are dealt again in the order they were drawn; what is left over opens the next Round.',
    },
    'as-they-lie': {
      name: 'Leave as they lie',
      follows: 'The cards cannot be put in order. The Hands count as they lie, and the patrons are asked.',
    },
    'in-order': {
      name: 'Fix the order',
      follows: 'The cards count in the order that is named here.',
    },
    continue: { name: 'Continue', follows: 'The Round goes on as it is.' },
    stand: {
      name: 'Let it stand',
      follows: 'What was settled stays as it is. A card shown between Rounds is put aside.',
    },
    correct: {
      name: 'Correct to the cards',
      follows:
        'The Round is taken by the cards named here. If it was settled it is settled anew, by compensating entries.',
    },
    adjust: {
      name: 'Adjust amounts',
      follows: 'Amounts still owed for an earlier Round are booked. It takes a second person.',
    },
  },
  post: {
    dealer: 'Dealer',
    'pit-supervisor': 'Pit Supervisor',
    'pit-manager': 'Pit Manager',
    'shift-manager': 'Table Games Shift Manager',
    'duty-manager': 'Duty Manager',
  },
  orAbove: {
    dealer: 'Dealer or above',
    'pit-supervisor': 'Pit Supervisor or above',
    'pit-manager': 'Pit Manager or above',
    'shift-manager': 'Table Games Shift Manager or above',
    'duty-manager': 'Duty Manager',
  },
  role: {
    dealer: 'Dealer',
    'pit-supervisor': 'Pit Supervisor',
    'pit-manager': 'Pit Manager',
    'shift-manager': 'Table Games Shift Manager',
    'duty-manager': 'Duty Manager',
    cashier: 'Cashier',
    auditor: 'Auditor',
    administrator: 'Administrator',
  },
  discretion: { reasonable: 'at reasonable discretion', absolute: 'at absolute discretion' },
  phase: {
    closed: 'Table closed',
    between: 'Between Rounds',
    betting: 'Bets are open',
    dealing: 'Dealing',
    unread: 'Card not read',
    held: 'Held for a ruling',
    choosing: 'Patrons choose',
    confirming: 'Result to be confirmed',
    interrupted: 'Interrupted',
  },
  command: {
    'open-table': 'Open the table',
    'change-settings': 'Change the settings',
    'announce-closing': 'Announce closing',
    'close-table': 'Close the table',
    'load-shoe': 'Load a shoe',
    'inspect-cards': 'Inspect the cards',
    'cut-cards': 'Cut the cards',
    'burn-cards': 'Burn cards',
    'retire-shoe': 'Retire the shoe',
    'exchange-shoe': 'Exchange the shoe',
    'reconcile-shoe': 'Count a retired shoe',
    'reveal-shoe': 'Reveal a shoe',
    'rule-carried-cards': 'Decide on carried cards',
    'open-bets': 'Place your bets, please',
    'close-bets': 'No more bets',
    'place-wager': 'Place a bet for a patron',
    'withdraw-wager': 'Take a bet back for a patron',
    'record-chips': 'Record chips',
    'reject-excess': 'Reject the excess',
    'amend-wager': 'Amend a wager',
    'ask-squeeze': 'Ask to squeeze for a patron',
    'grant-squeeze': 'Answer a squeeze',
    'draw-card': 'Record a card',
    'read-card': 'Say which card it is',
    'turn-cards': 'Turn the cards over',
    'confirm-cards': 'Confirm the cards that are out',
    'confirm-result': 'Confirm the result',
    report: 'Something is wrong',
    rule: 'Give a ruling',
    choose: 'Choose for a patron',
    'close-choices': 'End the time for choices',
    'buy-credits': 'Sell credits',
    'redeem-ticket': 'Redeem a ticket',
    'cash-out': 'Cash out',
    collect: 'Collect what is owed',
    'keep-unclaimed': 'Keep unclaimed credits',
    'pay-unclaimed': 'Pay what was unclaimed',
    'open-float': 'Open the float',
    'close-float': 'Close the float',
    fill: 'Fill from the cage',
    credit: 'Credit to the cage',
    drop: 'Cash into the drop box',
    'lose-terminal': 'Terminal lost',
    'restore-terminal': 'Terminal back',
    'open-dispute': 'Open a dispute',
    'bundle-dispute': 'Bundle the record for a dispute',
    'close-dispute': 'Close a dispute',
    'take-post': 'Take a post',
    'leave-post': 'Leave a post',
    'start-shift': 'Start a shift',
    'note-clock': 'Note the clock',
  },
  burnFixed: (cards) => (cards === 1 ? 'Burn 1 card' : `Burn ${cards} cards`),
  burnByFirstCard: 'Turn the first card over and burn it, then as many cards as it shows (Ace 1, 10 and pictures 10)',
};

const hans: RuleWords = {
  irregularity: {
    'over-differential': { name: '超过差额上限', when: '某投注位一方的投注超过另一方的差额，高于赌台限额。' },
    'under-minimum': { name: '低于最低限额', when: '投注额低于赌台的最低限额。' },
    'walk-away': { name: '客人离台', when: '客人已离开赌台，其投注仍在台面。投注照常进行并结算。' },
    'technical-interruption': {
      name: '技术中断',
      when: '牌局进行中电力、照明或设备发生故障。已有结果确定则完成本局，否则本局作废。',
    },
    'terminal-interruption': { name: '终端中断', when: '玩家终端发生故障，但赌台运作正常。已登记的投注有效。' },
    'foreign-card': { name: '异牌', when: '出现不属于本副牌的牌：鬼牌、不同牌背或宣传卡。' },
    'shortage-or-excess': { name: '缺牌或多牌', when: '牌数不符：缺少某张牌，或某张牌多出一张。' },
    'wrong-number-of-cards': { name: '牌数错误', when: '某一手牌多一张或少一张，并在下一局开始前发现。' },
    'shoe-exhausted': { name: '牌靴耗尽', when: '余牌不足以完成本局。' },
    'not-shuffled': { name: '牌未洗', when: '这副牌未经洗牌即投入使用。' },
    'late-bet': { name: '逾时投注', when: '宣布“停止下注”后才放置、增加或取走筹码。一律拒绝并退还。' },
    'excess-or-exposed-card': { name: '多发或露牌', when: '不该发的牌离开牌靴，或牌提前被看见。' },
    'wrong-side': { name: '牌发错边', when: '牌放到了另一方，或交给了拿另一手牌的人。' },
    'face-up': { name: '牌面朝上', when: '在暗发的赌台上，牌被明发。' },
    'simultaneous-draw': { name: '同时抽出', when: '两张或以上的牌同时离开牌靴。由裁定人决定先后。' },
    'other-dealing-error': { name: '其他发牌错误', when: '发牌出现没有专门条文、又不属于作废原因的错误。' },
    'late-discovery': { name: '发现过迟', when: '下一局开始后才发现先前一局的错误。两局均有效，仅作记录。' },
    'bet-placed-in-error': { name: '客人误投', when: '客人表示下错了注。投注照样有效，仅作记录。' },
    'wrong-result': { name: '结果有误', when: '登记或显示的结果与牌面不符。下一局开始前以牌面更正。' },
    uncovered: { name: '规则未载', when: '规则没有适用的条文。由赌台值班经理决定。' },
  },
  ruling: {
    void: { name: '本局作废', follows: '本局没有结果，所有投注退还；先前各局有效。' },
    misread: { name: '属于误读', follows: '并无其事。误读的牌予以更正，牌局继续。' },
    reconstruct: { name: '还原牌序', follows: '按抽出的次序重新排牌；余下的牌留作下一局首张。' },
    'as-they-lie': { name: '按台面现状', follows: '牌序无法还原。两手牌按台面现状计算，并询问客人。' },
    'in-order': { name: '指定次序', follows: '牌按此处指定的次序计算。' },
    continue: { name: '继续', follows: '牌局照常继续。' },
    stand: { name: '维持原状', follows: '已结算的维持不变。两局之间露出的牌弃置一旁。' },
    correct: { name: '按牌面更正', follows: '本局以此处所列的牌为准。若已结算，则以冲正分录重新结算。' },
    adjust: { name: '调整金额', follows: '补记先前一局仍欠的金额。须有第二人同意。' },
  },
  post: {
    dealer: '荷官',
    'pit-supervisor': '赌区主任',
    'pit-manager': '赌区经理',
    'shift-manager': '赌台值班经理',
    'duty-manager': '值班总经理',
  },
  orAbove: {
    dealer: '荷官或以上',
    'pit-supervisor': '赌区主任或以上',
    'pit-manager': '赌区经理或以上',
    'shift-manager': '赌台值班经理或以上',
    'duty-manager': '值班总经理',
  },
  role: {
    dealer: '荷官',
    'pit-supervisor': '赌区主任',
    'pit-manager': '赌区经理',
    'shift-manager': '赌台值班经理',
    'duty-manager': '值班总经理',
    cashier: '账房',
    auditor: '稽核',
    administrator: '系统管理员',
  },
  discretion: { reasonable: '合理酌情', absolute: '绝对酌情' },
  phase: {
    closed: '已收台',
    between: '两局之间',
    betting: '下注中',
    dealing: '发牌中',
    unread: '有牌未读取',
    held: '等待裁定',
    choosing: '客人选择中',
    confirming: '待确认结果',
    interrupted: '已中断',
  },
  command: {
    'open-table': '开台',
    'change-settings': '更改设置',
    'announce-closing': '宣布收台',
    'close-table': '收台',
    'load-shoe': '装入牌靴',
    'inspect-cards': '验牌',
    'cut-cards': '切牌',
    'burn-cards': '烧牌',
    'retire-shoe': '退下牌靴',
    'exchange-shoe': '更换牌靴',
    'reconcile-shoe': '清点退下的牌靴',
    'reveal-shoe': '公开牌靴次序',
    'rule-carried-cards': '裁定留用的牌',
    'open-bets': '请下注',
    'close-bets': '停止下注',
    'place-wager': '代客下注',
    'withdraw-wager': '代客取回投注',
    'record-chips': '登记筹码',
    'reject-excess': '退回超额',
    'amend-wager': '更正投注',
    'ask-squeeze': '代客要求眯牌',
    'grant-squeeze': '答复眯牌',
    'draw-card': '登记一张牌',
    'read-card': '补读此牌',
    'turn-cards': '翻牌',
    'confirm-cards': '确认已发出的牌',
    'confirm-result': '确认结果',
    report: '有异常',
    rule: '作出裁定',
    choose: '代客选择',
    'close-choices': '结束选择时间',
    'buy-credits': '出售余额',
    'redeem-ticket': '兑入票券',
    'cash-out': '兑出',
    collect: '收取欠款',
    'keep-unclaimed': '保管未领余额',
    'pay-unclaimed': '支付未领款项',
    'open-float': '启用台面筹码',
    'close-float': '清点台面筹码',
    fill: '加彩（账房送筹码）',
    credit: '缴彩（筹码回账房）',
    drop: '现金入箱',
    'lose-terminal': '终端失联',
    'restore-terminal': '终端恢复',
    'open-dispute': '提出争议',
    'bundle-dispute': '汇集争议记录',
    'close-dispute': '了结争议',
    'take-post': '上岗',
    'leave-post': '下岗',
    'start-shift': '开始班次',
    'note-clock': '记录时钟',
  },
  burnFixed: (cards) => `烧 ${cards} 张牌`,
  burnByFirstCard: '翻开首张并烧掉，再按其点数烧牌（A 为 1，10 及公仔牌为 10）',
};

const hant: RuleWords = {
  irregularity: {
    'over-differential': { name: '超過差額上限', when: '某投注位一方的投注超過另一方的差額，高於賭檯限額。' },
    'under-minimum': { name: '低於最低限額', when: '投注額低於賭檯的最低限額。' },
    'walk-away': { name: '客人離檯', when: '客人已離開賭檯，其投注仍在檯面。投注照常進行並結算。' },
    'technical-interruption': {
      name: '技術中斷',
      when: '牌局進行中電力、照明或設備發生故障。已有結果確定則完成本局，否則本局作廢。',
    },
    'terminal-interruption': { name: '終端機中斷', when: '玩家終端機發生故障，但賭檯運作正常。已登記的投注有效。' },
    'foreign-card': { name: '異牌', when: '出現不屬於本副牌的牌：鬼牌、不同牌背或宣傳卡。' },
    'shortage-or-excess': { name: '缺牌或多牌', when: '牌數不符：缺少某張牌，或某張牌多出一張。' },
    'wrong-number-of-cards': { name: '牌數錯誤', when: '某一手牌多一張或少一張，並在下一局開始前發現。' },
    'shoe-exhausted': { name: '牌靴耗盡', when: '餘牌不足以完成本局。' },
    'not-shuffled': { name: '牌未洗', when: '這副牌未經洗牌即投入使用。' },
    'late-bet': { name: '逾時投注', when: '宣布「停止下注」後才放置、增加或取走籌碼。一律拒絕並退還。' },
    'excess-or-exposed-card': { name: '多發或露牌', when: '不該發的牌離開牌靴，或牌提前被看見。' },
    'wrong-side': { name: '牌發錯邊', when: '牌放到了另一方，或交給了拿另一手牌的人。' },
    'face-up': { name: '牌面朝上', when: '在暗發的賭檯上，牌被明發。' },
    'simultaneous-draw': { name: '同時抽出', when: '兩張或以上的牌同時離開牌靴。由裁定人決定先後。' },
    'other-dealing-error': { name: '其他發牌錯誤', when: '發牌出現沒有專門條文、又不屬於作廢原因的錯誤。' },
    'late-discovery': { name: '發現過遲', when: '下一局開始後才發現先前一局的錯誤。兩局均有效，僅作記錄。' },
    'bet-placed-in-error': { name: '客人誤投', when: '客人表示下錯了注。投注照樣有效，僅作記錄。' },
    'wrong-result': { name: '結果有誤', when: '登記或顯示的結果與牌面不符。下一局開始前以牌面更正。' },
    uncovered: { name: '規則未載', when: '規則沒有適用的條文。由賭檯值班經理決定。' },
  },
  ruling: {
    void: { name: '本局作廢', follows: '本局沒有結果，所有投注退還；先前各局有效。' },
    misread: { name: '屬於誤讀', follows: '並無其事。誤讀的牌予以更正，牌局繼續。' },
    reconstruct: { name: '還原牌序', follows: '按抽出的次序重新排牌；餘下的牌留作下一局首張。' },
    'as-they-lie': { name: '按檯面現狀', follows: '牌序無法還原。兩手牌按檯面現狀計算，並詢問客人。' },
    'in-order': { name: '指定次序', follows: '牌按此處指定的次序計算。' },
    continue: { name: '繼續', follows: '牌局照常繼續。' },
    stand: { name: '維持原狀', follows: '已結算的維持不變。兩局之間露出的牌棄置一旁。' },
    correct: { name: '按牌面更正', follows: '本局以此處所列的牌為準。若已結算，則以沖正分錄重新結算。' },
    adjust: { name: '調整金額', follows: '補記先前一局仍欠的金額。須有第二人同意。' },
  },
  post: {
    dealer: '荷官',
    'pit-supervisor': '賭區主任',
    'pit-manager': '賭區經理',
    'shift-manager': '賭檯值班經理',
    'duty-manager': '值班總經理',
  },
  orAbove: {
    dealer: '荷官或以上',
    'pit-supervisor': '賭區主任或以上',
    'pit-manager': '賭區經理或以上',
    'shift-manager': '賭檯值班經理或以上',
    'duty-manager': '值班總經理',
  },
  role: {
    dealer: '荷官',
    'pit-supervisor': '賭區主任',
    'pit-manager': '賭區經理',
    'shift-manager': '賭檯值班經理',
    'duty-manager': '值班總經理',
    cashier: '帳房',
    auditor: '稽核',
    administrator: '系統管理員',
  },
  discretion: { reasonable: '合理酌情', absolute: '絕對酌情' },
  phase: {
    closed: '已收檯',
    between: '兩局之間',
    betting: '下注中',
    dealing: '發牌中',
    unread: '有牌未讀取',
    held: '等待裁定',
    choosing: '客人選擇中',
    confirming: '待確認結果',
    interrupted: '已中斷',
  },
  command: {
    'open-table': '開檯',
    'change-settings': '更改設定',
    'announce-closing': '宣布收檯',
    'close-table': '收檯',
    'load-shoe': '裝入牌靴',
    'inspect-cards': '驗牌',
    'cut-cards': '切牌',
    'burn-cards': '燒牌',
    'retire-shoe': '退下牌靴',
    'exchange-shoe': '更換牌靴',
    'reconcile-shoe': '清點退下的牌靴',
    'reveal-shoe': '公開牌靴次序',
    'rule-carried-cards': '裁定留用的牌',
    'open-bets': '請下注',
    'close-bets': '停止下注',
    'place-wager': '代客下注',
    'withdraw-wager': '代客取回投注',
    'record-chips': '登記籌碼',
    'reject-excess': '退回超額',
    'amend-wager': '更正投注',
    'ask-squeeze': '代客要求瞇牌',
    'grant-squeeze': '答覆瞇牌',
    'draw-card': '登記一張牌',
    'read-card': '補讀此牌',
    'turn-cards': '翻牌',
    'confirm-cards': '確認已發出的牌',
    'confirm-result': '確認結果',
    report: '有異常',
    rule: '作出裁定',
    choose: '代客選擇',
    'close-choices': '結束選擇時間',
    'buy-credits': '出售餘額',
    'redeem-ticket': '兌入票券',
    'cash-out': '兌出',
    collect: '收取欠款',
    'keep-unclaimed': '保管未領餘額',
    'pay-unclaimed': '支付未領款項',
    'open-float': '啟用檯面籌碼',
    'close-float': '清點檯面籌碼',
    fill: '加彩（帳房送籌碼）',
    credit: '繳彩（籌碼回帳房）',
    drop: '現金入箱',
    'lose-terminal': '終端機失聯',
    'restore-terminal': '終端機恢復',
    'open-dispute': '提出爭議',
    'bundle-dispute': '彙集爭議記錄',
    'close-dispute': '了結爭議',
    'take-post': '上崗',
    'leave-post': '下崗',
    'start-shift': '開始班次',
    'note-clock': '記錄時鐘',
  },
  burnFixed: (cards) => `燒 ${cards} 張牌`,
  burnByFirstCard: '翻開首張並燒掉，再按其點數燒牌（A 為 1，10 及公仔牌為 10）',
};

export const rules = catalogue(en, hans, hant);

/** How many cards are burnt, as a sentence. */
export function burn(it: Burn): string {
  const t = rules[language.now];
  return it === 'by-first-card' ? t.burnByFirstCard : t.burnFixed(it.fixed);
}
