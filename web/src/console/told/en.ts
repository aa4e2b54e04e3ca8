// Events in English.

import { en as words } from '../words/en';
import { total, type Sentences } from './say';

export const en: Sentences = {
  'table-opened': () => 'The table was opened.',
  'settings-changed': () => 'The settings were changed.',
  'limits-announced': ({ from }, { time }) =>
    `Other limits were announced; they apply from the first Round after ${time(from)}.`,
  'limits-changed': () => 'The limits that were announced are in force.',
  'closing-announced': ({ last_round }) => `Closing announced: Round ${last_round} is the last.`,
  'last-round-dropped': ({ round }) => `Round ${round}, announced as the last, is not played.`,
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
  'stack-flagged': ({ patron, box, bet, stake, unit }, say) =>
    `Patron ${patron}${say.box(box)}: ${say.money(stake)} on ${say.bet(bet)} is not a whole number of ${say.money(unit)}.`,
  'patron-advised': ({ patron, bet, stake, box: at, cite }, { money, bet: name, box }) =>
    `Patron ${patron}${box(at)} was told: ${name(bet)} ${money(stake)} is outside its limits (${cite}).`,
  'wager-returned': ({ patron, bet, amount, box: at, cite }, { money, bet: name, box }) =>
    `Patron ${patron}${box(at)}: ${money(amount)} of ${name(bet)}, outside its limits, goes back (${cite}).`,
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
  'card-corrected': ({ at, was, card }, { cards }) =>
    `Card ${at} was keyed as ${cards([was])}; it is ${cards([card])}.`,
  'card-misread': ({ at, card }, { cards }) => `Card ${at} was misread; it is ${cards([card])}.`,
  'cards-ordered': ({ order, carried }, { cards }) =>
    `Cards in order: ${cards(order)}${carried.length > 0 ? `; carried: ${cards(carried)}` : ''}.`,
  'round-voided': ({ round, kind, cite, returns }, { money, r }) =>
    `Round ${round} void: ${r.irregularity[kind].name} (${cite}). ${money(total(returns))} goes back.`,
  'choice-offered': ({ patrons }) => `Asked to choose: ${patrons.map((it) => `patron ${it}`).join(', ')}.`,
  'choice-made': ({ patron, choice, silent }) =>
    `Patron ${patron} ${choice === 'continue' ? 'continues' : 'takes the bets back'}${silent ? ' (no answer)' : ''}.`,
  'play-resumed': () => 'Play goes on.',
  'table-interrupted': ({ cause, cite }) =>
    `The table is interrupted${cause ? `: ${words.cause[cause]}` : ''} (${cite}).`,
  'cards-confirmed': ({ cards: list }, { cards }) => `Cards that are out: ${cards(list)}.`,
  'interruption-resolved': ({ established, because, cite }, { bet }) =>
    established
      ? `An outcome was established: ${because.map(bet).join(', ')}. The Round is concluded (${cite}).`
      : `No outcome was established: the Round is void (${cite}).`,
  'round-settled': ({ round, result }, { c }) =>
    `Round ${round} settled: ${c[result.winner]}, ${result.points.player}–${result.points.banker}.`,
  'round-corrected': ({ round, result, cite }, { c }) =>
    `Round ${round} corrected: ${c[result.winner]}, ${result.points.player}–${result.points.banker} (${cite}).`,
  'round-amended': ({ round, patron, bet, stake, box }, say) =>
    `Round ${round} was settled anew: ${say.bet(bet)} of patron ${patron}${say.box(box)} was ${say.money(stake)}.`,
  adjusted: ({ round, cite }) => `Amounts of Round ${round} adjusted (${cite}).`,
  'push-recorded': ({ round, patron, payout, counted, cite }, { money }) =>
    `Round ${round}: ${money(counted)} pushed to patron ${patron}, ${money(payout)} was due (${cite}).`,
  'credits-bought': ({ patron, amount }, { money }) => `Patron ${patron} bought ${money(amount)}.`,
  'ticket-redeemed': ({ patron, amount }, { money }) => `Patron ${patron} redeemed a ticket of ${money(amount)}.`,
  'note-accepted': ({ patron, amount, acceptor }, { money }) =>
    `Patron ${patron}: ${money(amount)} in notes (${acceptor}).`,
  'case-opened': ({ case: no, patron, cite }) => `Case ${no} of patron ${patron}: a note or a ticket (${cite}).`,
  'case-settled': ({ case: no, patron, cite }) => `Case ${no} of patron ${patron} settled (${cite}).`,
  'acceptor-emptied': ({ drop, acceptor, cite }) => `Box ${drop} taken out of ${acceptor} (${cite}).`,
  'acceptor-counted': ({ drop, acceptor, counted, cite }, { money }) =>
    `Box ${drop} of ${acceptor} counted: ${money(counted)} (${cite}).`,
  'cash-out-held': ({ patron, amount, slip, cite }, { money }) =>
    `Held back from patron ${patron}: ${money(amount)}, slip ${slip} (${cite}).`,
  'payout-hold-ordered': ({ patron, round, slip, cite }) =>
    `The payout of patron ${patron} in Round ${round} is held: do not push it. Slip ${slip} (${cite}).`,
  'payout-held': ({ patron, amount, slip, cite }, { money }) =>
    `Payout of patron ${patron} held: ${money(amount)}, slip ${slip} (${cite}).`,
  'held-decided': ({ patron, amount, slip, outcome, cite }, { money }) =>
    `Slip ${slip}: ${money(amount)} of patron ${patron} ${outcome === 'released' ? 'released' : 'forfeited'} (${cite}).`,
  'hold-extended': ({ matter, cite }) => `Matter ${matter} holds money back for another day (${cite}).`,
  'cashed-out': ({ patron, amount }, { money }) => `Patron ${patron} cashed out ${money(amount)}.`,
  collected: ({ patron, amount }, { money }) => `Collected from patron ${patron}: ${money(amount)}.`,
  'hand-accepted': ({ side, patron }) =>
    `The ${side === 'player' ? 'Player' : 'Banker'} Hand is handed to patron ${patron}.`,
  'float-covered': ({ cause, cite }) => `The float is covered: ${words.cause[cause]} (${cite}).`,
  'float-uncovered': ({ second, cite }) => `The float is uncovered, with ${second} (${cite}).`,
  'seat-taken': ({ patron, box }) => `Patron ${patron} sits down at box ${box}.`,
  'seat-left': ({ patron, box }) => `Patron ${patron} gets up from box ${box}.`,
  'walked-away': ({ patron, cite }) => `Patron ${patron} walked away (${cite}).`,
  'unclaimed-kept': ({ patron, amount }, { money }) => `Kept for patron ${patron}: ${money(amount)}.`,
  'set-aside-reviewed': ({ patron, slip, cite }) => `Slip ${slip} of patron ${patron} reviewed (${cite}).`,
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
  'dispute-seen': ({ dispute, surveillance }) =>
    surveillance ? `Dispute ${dispute} was spoken in time: ${surveillance}` : `Dispute ${dispute} was seen.`,
  'dispute-closed': ({ dispute, words }) => `Dispute ${dispute} closed: ${words}`,
  'post-taken': ({ person, post }, { r }) => `${person} takes the post of ${r.post[post]}.`,
  'post-left': ({ person, post }, { r }) => `${person} leaves the post of ${r.post[post]}.`,
  'shift-started': ({ name }) => `Shift begins: ${name}.`,
  'clock-jumped': () => 'The clock of the server jumped.',
};
