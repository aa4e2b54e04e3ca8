//! Events become state. Nothing here can fail, nothing here knows a rule book: every amount stands in the event.
//!
//! What an event takes for granted (that the wager it trims stands, that a Round is open) was made sure of when it was
//! decided; a record where it does not hold is no record of a table, and an `expect` says so.

mod cards;
mod money;

use std::collections::BTreeSet;

use std::sync::Arc;

use punto_record::planted::{Bug, is};
use punto_record::{
    Actor, Cards, CaseOutcome, Choice, CommandKind, DeviceId, Entry, Event, HeldOutcome, Order, Person,
    Report, RoundResult, Seen, SettledLine, Timestamp,
};
use punto_rules::{Card, Composition, Money, PatronNo, Post};

use crate::bettors::Bettors;
use crate::earlier::Earlier;
use crate::roads::Mark;
use crate::round::{Matter, Round, Squeeze, Stage, WagerKey, Wagers};
use crate::shoe::{RetiredShoe, ShoeInUse};
use crate::state::{
    Announced, Answered, Case, Dispute, DropBox, HeldBack, HeldPayout, LastRound, Phase, SetAside, State,
};

/// Rounds of which the table still knows who dealt them.
const ROUNDS_REMEMBERED: usize = 256;

impl State {
    /// Takes an entry of the record: its events, its time, its order's id.
    pub fn enter(&mut self, entry: &Entry) {
        self.remember_dealers(entry);
        self.remember_activity(entry);
        for event in &entry.events {
            self.remember_round(event);
            self.apply(event);
            self.remember_bettor(event);
            self.note_dispute(event, self.now.max(entry.order.at));
            if let (Event::CardCorrected { supervised: false, .. }, Some(person)) =
                (event, entry.order.by.person())
            {
                *self.miskeyed.entry(person.clone()).or_default() += 1;
            }
        }
        self.seq = entry.seq;
        self.now = self.now.max(entry.order.at);
        let Order { id, by, round, command, .. } = &entry.order;
        let answered = Answered { n: id.n, seq: entry.seq, asked: (by.clone(), *round, command.clone()) };
        let devices = Arc::make_mut(&mut self.devices);
        match devices.get_mut(&entry.order.id.device) {
            Some(known) => *known = answered,
            None => {
                devices.insert(entry.order.id.device.clone(), answered);
            }
        }
    }

    /// Notes who deals, before the cards of the entry are out.
    fn remember_dealers(&mut self, entry: &Entry) {
        let kind = entry.order.command.kind();
        let round = self.round().map_or(self.rounds.next(), |round| round.no);
        let mut dealers: BTreeSet<Person> = BTreeSet::new();
        match (kind, &entry.order.by) {
            // The hands that move what a reader reads are those of whoever deals here.
            (CommandKind::DrawCard, Actor::House) if !self.is_software() => {
                let at_work = self.posts.iter().filter(|(_, post)| **post == Post::Dealer);
                dealers.extend(at_work.map(|(person, _)| person.clone()));
            }
            (CommandKind::DrawCard, by) => dealers.extend(by.person().cloned()),
            // Cards carried over were drawn in the Round before.
            (CommandKind::OpenBets, _) if !self.carried.is_empty() => {
                dealers.extend(self.dealt.get(&self.rounds).into_iter().flatten().cloned());
            }
            (_, _) => {}
        }
        if dealers.is_empty() || self.dealt.get(&round).is_some_and(|known| known.is_superset(&dealers)) {
            return;
        }
        let dealt = Arc::make_mut(&mut self.dealt);
        dealt.entry(round).or_default().append(&mut dealers);
        while dealt.len() > ROUNDS_REMEMBERED {
            dealt.pop_first();
        }
    }

    /// Notes when somebody was last seen to play: an order of their own, a bet for them, credits brought.
    fn remember_activity(&mut self, entry: &Entry) {
        let at = self.now.max(entry.order.at);
        let played = |event: &Event| {
            if let Event::WagerRegistered { patron, .. }
            | Event::CreditsBought { patron, .. }
            | Event::TicketRedeemed { patron, .. }
            | Event::NoteAccepted { patron, .. } = event
            {
                Some(*patron)
            } else {
                None
            }
        };
        let patrons = entry.events.iter().filter_map(played).chain(entry.order.by.patron());
        for patron in patrons {
            Arc::make_mut(&mut self.active).insert(patron, at);
        }
    }

    /// Keeps what a Round that is over was settled by. Under other rules nothing of it can be computed any more.
    fn remember_round(&mut self, event: &Event) {
        if let Event::TableOpened { settings, digest, .. } | Event::SettingsChanged { settings, digest, .. } =
            event
        {
            let layout = self.settings.as_ref().map(|it| &it.layout);
            if self.digest != Some(*digest) || layout != Some(&settings.layout) {
                self.earlier = Arc::default();
            }
        }
        if Earlier::concerns(event) {
            Arc::make_mut(&mut self.earlier).learn(event);
        }
    }

    fn remember_bettor(&mut self, event: &Event) {
        if let Some((round, patron, disputes)) = Bettors::told(event, self.rounds)
            && !self.bettors.knows(round, patron, disputes)
        {
            Arc::make_mut(&mut self.bettors).learn(round, patron, disputes);
        }
    }

    /// From when the next Round waits for a dispute to be seen: nothing waits while its own Round goes on.
    fn note_dispute(&mut self, event: &Event, at: Timestamp) {
        if let Event::DisputeOpened { dispute, seconds: Some(_), .. } = event
            && let Some(dispute) = self.disputes.get_mut(dispute)
        {
            dispute.since = Some(at);
        }
        if let Event::RoundSettled { round, .. } | Event::RoundVoided { round, .. } = event {
            let of_round = self.disputes.values_mut().filter(|it| it.round == Some(*round));
            of_round.filter_map(|it| it.since.as_mut()).for_each(|since| *since = (*since).max(at));
        }
    }

    fn is_software(&self) -> bool {
        self.settings.as_ref().is_some_and(|settings| settings.cards == Cards::Software)
    }

    /// Takes one event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::TableOpened { settings, digest, .. } => {
                self.phase = Phase::Between { last: None };
                self.rounds_before = self.rounds;
                self.settings = Some(settings.clone());
                self.digest = Some(*digest);
                self.announced = None;
            }
            Event::SettingsChanged { settings, digest, .. } => {
                self.settings = Some(settings.clone());
                self.digest = Some(*digest);
                // They were announced for other settings.
                self.announced = None;
            }
            Event::LimitsAnnounced { betting_box, bets, from, .. } => {
                let (betting_box, bets, from) = (*betting_box, bets.clone(), *from);
                self.announced = Some(Announced { betting_box, bets, from });
            }
            Event::LimitsChanged { betting_box, bets, .. } => {
                let settings = self.settings.as_mut().expect("an open table");
                (settings.betting_box, settings.bets) = (*betting_box, bets.clone());
                self.announced = None;
            }
            Event::ClosingAnnounced { last_round } => self.closing = Some(*last_round),
            Event::LastRoundDropped { .. } => {}
            Event::TableClosed {} => {
                self.phase = Phase::Closed;
                (self.closing, self.announced) = (None, None);
                self.carried.clear();
                self.seats.clear();
            }

            Event::ShoeLoaded { shoe, card_set, cards, shuffled_by, commitment } => {
                self.shoes = *shoe;
                self.shoe = Some(ShoeInUse {
                    no: *shoe,
                    card_set: card_set.clone(),
                    cards: *cards,
                    shuffled: shuffled_by.is_some(),
                    commitment: *commitment,
                    sequence: Vec::new(),
                    dealt: Composition::EMPTY,
                    drawn: 0,
                    burnt: 0,
                    cut_card_out: false,
                    must_exchange: None,
                });
                match &mut self.phase {
                    Phase::Round(round) => {
                        round.shoe = *shoe;
                        round.shoe_awaited = false;
                    }
                    // A new shoe, new roads; cards put in its place in mid-Round do not begin a new board.
                    Phase::Closed | Phase::Between { .. } => self.marks.clear(),
                }
            }
            Event::CardsInspected { .. } | Event::CardsCut { .. } => {}
            Event::CardsBurnt { shown, count, .. } => {
                let shoe = self.shoe_in_use();
                shoe.burnt += count;
                shown.iter().for_each(|card| shoe.dealt.add(*card));
            }
            Event::CutCardReached { .. } => self.shoe_in_use().cut_card_out = true,
            Event::ShoeExchangeRequired { cite, .. } => {
                self.shoe_in_use().must_exchange = Some(cite.clone());
            }
            Event::ShoeReplacementOrdered { .. } => self.round_in_play().shoe_awaited = true,
            Event::ShoeRetired { shoe, .. } => {
                let ShoeInUse { cards, dealt, commitment, must_exchange, drawn, burnt, sequence, .. } =
                    self.shoe.take().expect("a shoe in use");
                let (no, found, played) = (*shoe, must_exchange.is_some(), drawn > 0);
                let reconciled = false;
                self.retired.push(RetiredShoe {
                    no,
                    cards,
                    dealt,
                    commitment,
                    burnt,
                    sequence,
                    found,
                    played,
                    reconciled,
                });
            }
            Event::ShoeReconciled { shoe, .. } => {
                let retired = self.retired.iter_mut().find(|it| it.no == *shoe).expect("a retired shoe");
                retired.reconciled = true;
                self.retired.retain(|it| !it.reconciled || it.commitment.is_some());
            }
            Event::ShoeRevealed { shoe, .. } => {
                let retired = self.retired.iter_mut().find(|it| it.no == *shoe).expect("a retired shoe");
                retired.commitment = None;
                self.retired.retain(|it| !it.reconciled || it.commitment.is_some());
            }
            Event::CarriedCardsRuled { keep, .. } => self.carried_ruled = *keep,
            Event::CarriedCardsDiscarded { .. } => match &mut self.phase {
                Phase::Round(round) => {
                    let kept = round.order.len() - round.left_over().len();
                    round.order.truncate(kept);
                }
                Phase::Closed | Phase::Between { .. } => {
                    self.carried.clear();
                    self.carried_ruled = false;
                }
            },

            Event::BetsOpened { round, shoe, closes_at, .. } => {
                self.rounds = *round;
                self.carried.clear();
                self.carried_ruled = false;
                self.phase = Phase::Round(Box::new(Round {
                    no: *round,
                    shoe: *shoe,
                    stage: Stage::Betting { closes_at: *closes_at },
                    wagers: Wagers::default(),
                    drawn: Vec::new(),
                    order: Vec::new(),
                    squeezes: Vec::new(),
                    accepted: std::collections::BTreeMap::new(),
                    rights: Vec::new(),
                    shoe_awaited: false,
                    shown: false,
                    taken_back: false,
                }));
            }
            Event::WagerRegistered { patron, box_no, stance, bet, side, amount, .. } => {
                let key = WagerKey { patron: *patron, box_no: *box_no, bet: bet.clone() };
                self.is_back(*patron);
                self.stake(key, *stance, *side, *amount);
            }
            Event::WagerWithdrawn { patron, box_no, bet, amount, .. } => {
                // Planted: as much again.
                if is(Bug::WithdrawalGivesTooMuch) {
                    self.pay(*patron, *amount);
                }
                self.unstake(&WagerKey { patron: *patron, box_no: *box_no, bet: bet.clone() }, *amount);
            }
            Event::WagerTrimmed { patron, box_no, bet, amount, .. }
            | Event::WagerReturned { patron, box_no, bet, amount, .. } => {
                self.unstake(&WagerKey { patron: *patron, box_no: Some(*box_no), bet: bet.clone() }, *amount);
            }
            Event::ChipsRecorded { patron, box_no, stance, bet, side, stake } => {
                let key = WagerKey { patron: *patron, box_no: Some(*box_no), bet: bet.clone() };
                if self.round_in_play().wagers.get(&key).is_none() {
                    self.is_back(*patron);
                }
                self.set_stake(key, *stance, *side, *stake);
            }
            Event::WagerAmended { patron, box_no, stance, bet, side, stake, parts, .. } => {
                let key = WagerKey { patron: *patron, box_no: Some(*box_no), bet: bet.clone() };
                self.set_stake(key, *stance, *side, *stake);
                self.round_in_play().wagers.set_parts(Some(*box_no), parts);
            }
            Event::LimitsFlagged { .. }
            | Event::SideBetFlagged { .. }
            | Event::StackFlagged { .. }
            | Event::LateBetRefused { .. } => {}
            Event::PatronAdvised { patron, box_no, bet, .. } => {
                let key = WagerKey { patron: *patron, box_no: Some(*box_no), bet: bet.clone() };
                self.round_in_play().wagers.advise(&key);
            }
            Event::BetsClosed { parts, .. } => {
                let round = self.round_in_play();
                round.wagers.set_parts(None, parts);
                if let Stage::Held { closes_at, .. } = &mut round.stage {
                    *closes_at = None;
                } else {
                    round.stage = Stage::Dealing {};
                }
            }

            Event::HandAccepted { side, patron, .. } => {
                self.round_in_play().accepted.insert(*side, *patron);
            }
            Event::SqueezeAsked { patron, card, .. } => {
                let squeeze = Squeeze { patron: *patron, card: *card, granted: None };
                self.round_in_play().squeezes.push(squeeze);
            }
            Event::SqueezeAnswered { patron, card, granted } => {
                let squeezes = &mut self.round_in_play().squeezes;
                let asked = squeezes.iter_mut().find(|it| it.patron == *patron && it.card == *card);
                asked.expect("a squeeze that was asked for").granted = Some(*granted);
            }
            Event::CardDrawn { card, side, source, covered } => self.draw(card, *side, *source, *covered),
            Event::CardRead { card } => {
                let round = self.round_in_play();
                let last = round.drawn.last_mut().expect("a card that was not read");
                (last.seen, last.correctable) = (card.clone(), card.card().is_some());
                round.stage = Stage::Dealing {};
                if let Some(card) = card.card() {
                    round.order.push(card);
                    self.shoe_in_use().dealt.add(card);
                }
            }
            Event::CardCorrected { at, card, .. } => self.correct_card(*at, *card),
            Event::CardsTurned { cards, .. } => {
                let drawn = &mut self.round_in_play().drawn;
                cards.iter().for_each(|card| drawn[usize::from(*card) - 1].covered = false);
            }
            Event::RoundCompleted { result } => {
                let round = self.round_in_play();
                round.shown = true;
                round.stage = Stage::Confirming { result: result.clone() };
            }

            Event::MatterOpened { matter, kind, report, holds, money_until, .. } => {
                self.matter_no = *matter;
                let round = self.rounds;
                if let (
                    Report::WrongSide { hands } | Report::WrongNumberOfCards { hands, .. },
                    Phase::Round(in_play),
                ) = (report, &mut self.phase)
                {
                    in_play.lay(hands);
                }
                let cards = if let Report::SimultaneousDraw { cards, .. } = report { cards.len() } else { 0 };
                let from = self.round().map_or(0, |round| round.order.len().saturating_sub(cards));
                let (no, report, money_until) = (*matter, report.clone(), *money_until);
                self.open(Matter { no, kind: *kind, report, holds: *holds, round, from, money_until });
            }
            Event::Ruled { matter, choice, .. } => {
                self.matters.retain(|it| it.no != *matter);
                if let Phase::Round(round) = &mut self.phase {
                    if let Some(matters) = round.matters_mut() {
                        matters.retain(|it| it.no != *matter);
                        // It was ruled on these cards.
                        round.drawn.iter_mut().for_each(|dealt| dealt.correctable = false);
                    }
                    if *choice {
                        round.grant_choice();
                    }
                }
            }
            Event::CardMisread { at, card } => {
                let round = self.round_in_play();
                let place = usize::from(*at) - 1;
                let was = std::mem::replace(&mut round.drawn[place].seen, Seen::Card(*card)).card();
                let before = round.drawn[..place].iter().filter(|dealt| dealt.seen.card().is_some()).count();
                if let (None, Stage::Held { matters, .. }) = (was, &mut round.stage) {
                    // It has a place among the cards now; what came after it moves up.
                    matters.iter_mut().filter(|it| it.from >= before).for_each(|it| it.from += 1);
                }
                let shoe = self.shoe_in_use();
                shoe.undraw(was);
                shoe.draw(Some(*card));
            }
            Event::CardsOrdered { order, carried } => match &mut self.phase {
                Phase::Round(round) => {
                    round.order = order.iter().chain(carried).copied().collect();
                    round.lay_in_order();
                }
                Phase::Closed | Phase::Between { .. } => {
                    self.carried = carried.clone();
                    self.carried_ruled = false;
                }
            },
            Event::RoundVoided { round, returns, changes, .. } => {
                // Planted: the stakes are kept.
                self.give_back(if is(Bug::StakeKeptOnVoid) { &[] } else { returns });
                self.compensate(*round, changes);
                let voided = match &mut self.phase {
                    // A settled Round that is undone: its win goes off the books, its mark off the roads.
                    Phase::Between { last } => last.take().filter(|last| last.result.is_some()),
                    Phase::Closed | Phase::Round(_) => None,
                };
                if let Some(voided) = voided {
                    self.book_house(-i128::from(voided.house));
                    self.marks.pop();
                }
                self.carried.clear();
                self.carried_ruled = false;
                let (no, drawn, shoe) = (*round, Vec::new(), self.shoes);
                let (lines, taken_back) = (Vec::new(), false);
                let last = LastRound { no, result: None, lines, house: 0, drawn, shoe, taken_back };
                self.phase = Phase::Between { last: Some(last) };
                self.take_cards_back();
                // Nothing of a void Round is left to rule.
                self.matters.retain(|matter| matter.round != no || !matter.holds);
            }
            Event::ChoiceOffered { until, patrons, .. } => {
                let waiting = patrons.iter().copied().collect();
                self.round_in_play().stage = Stage::Choosing { until: *until, waiting };
            }
            Event::ChoiceMade { patron, choice, returns, .. } => {
                match choice {
                    Choice::Continue => {}
                    Choice::TakeBack => self.give_back(returns),
                }
                let round = self.round_in_play();
                round.taken_back |= !returns.is_empty();
                round.rights.retain(|(key, _)| key.patron != *patron);
                if let Stage::Choosing { waiting, .. } = &mut round.stage {
                    waiting.remove(patron);
                }
            }
            Event::PlayResumed { closes_at: anew } => {
                let round = self.round_in_play();
                round.stage = match &round.stage {
                    Stage::Held { closes_at: Some(closes_at), .. } | Stage::Betting { closes_at } => {
                        Stage::Betting { closes_at: anew.unwrap_or(*closes_at) }
                    }
                    Stage::Dealing {}
                    | Stage::Unread {}
                    | Stage::Held { closes_at: None, .. }
                    | Stage::Choosing { .. }
                    | Stage::Confirming { .. }
                    | Stage::Interrupted { .. } => Stage::Dealing {},
                };
                if let Stage::Dealing {} = round.stage {
                    round.rights.clear();
                }
            }

            Event::TableInterrupted { .. } => {
                let round = self.round_in_play();
                let before = Box::new(std::mem::replace(&mut round.stage, Stage::Dealing {}));
                round.stage = Stage::Interrupted { before };
            }
            Event::CardsConfirmed { cards, .. } => self.replace_cards(cards),
            Event::InterruptionResolved { .. } => {
                let round = self.round_in_play();
                if let Stage::Interrupted { before } = &mut round.stage {
                    // The cards were confirmed anew: whether they are complete is found again.
                    round.stage = match std::mem::replace(&mut **before, Stage::Dealing {}) {
                        Stage::Unread {} | Stage::Confirming { .. } => Stage::Dealing {},
                        other @ (Stage::Betting { .. }
                        | Stage::Dealing {}
                        | Stage::Held { .. }
                        | Stage::Choosing { .. }
                        | Stage::Interrupted { .. }) => other,
                    };
                }
            }

            Event::RoundSettled { round, result, lines, house } => {
                self.settle(*round, result.cards.clone(), lines, *house);
                self.marks.push(mark(result));
                if let Phase::Between { last: Some(last) } = &mut self.phase {
                    last.result = Some(result.clone());
                }
            }
            Event::RoundCorrected { round, result, lines, house, changes, carried, .. } => {
                self.compensate(*round, changes);
                let Phase::Between { last: Some(last) } = &mut self.phase else {
                    panic!("only the Round just settled is corrected");
                };
                let was = std::mem::replace(&mut last.house, *house);
                last.result = Some(result.clone());
                last.lines = lines.clone();
                let (shoe, mut before) =
                    (last.shoe, std::mem::replace(&mut last.drawn, result.cards.clone()));
                before.append(&mut self.carried);
                let after: Vec<Card> = result.cards.iter().chain(carried).copied().collect();
                self.exchange_cards(shoe, &before, &after);
                self.carried = carried.clone();
                self.carried_ruled = false;
                self.book_house(i128::from(*house) - i128::from(was));
                if let Some(last) = self.marks.last_mut() {
                    *last = mark(result);
                }
            }
            Event::RoundAmended { round, lines, house, changes, .. } => {
                self.compensate(*round, changes);
                let Phase::Between { last: Some(last) } = &mut self.phase else {
                    panic!("only the Round just settled is amended");
                };
                let was = std::mem::replace(&mut last.house, *house);
                last.lines = lines.clone();
                self.book_house(i128::from(*house) - i128::from(was));
            }
            Event::Adjusted { round, changes, .. } => {
                self.compensate(*round, changes);
                let house = changes.iter().map(|it| {
                    amount(it.taken)
                        + amount(it.from_unclaimed)
                        + amount(it.from_held)
                        + amount(it.uncollected)
                        - amount(it.paid)
                        - amount(it.cancelled)
                });
                let house = house.sum();
                self.book_house(house);
            }

            Event::PushRecorded { patron, payout, counted, .. } => {
                // What was too little is made good at once: the payout that was booked is what they have.
                let over = counted.less(*payout);
                self.books.given += amount(over);
                self.change(*patron, |account| account.owed = sum(account.owed, over));
                self.move_float(-amount(over));
            }

            Event::CreditsBought { patron, amount: bought, .. }
            | Event::TicketRedeemed { patron, amount: bought, .. } => {
                self.books.received += amount(*bought);
                self.change(*patron, |account| {
                    account.credits = sum(account.credits, *bought);
                    account.away = false;
                });
            }
            Event::NoteAccepted { patron, acceptor, amount, .. } => {
                self.take_note(*patron, acceptor, *amount)
            }
            Event::CaseOpened { case, patron, report, .. } => {
                self.case_no = *case;
                self.cases.insert(*case, Case { patron: *patron, report: report.clone() });
            }
            Event::CaseSettled { case, patron, acceptor, outcome, .. } => {
                self.cases.remove(case);
                match (outcome, acceptor) {
                    (CaseOutcome::Credited { amount }, Some(acceptor)) => {
                        self.take_note(*patron, acceptor, *amount);
                    }
                    (CaseOutcome::Paid { amount: paid }, Some(acceptor)) => {
                        self.books.received += amount(*paid);
                        self.books.given += amount(*paid);
                        let there = self.acceptors.entry(acceptor.clone()).or_default();
                        *there = sum(*there, *paid);
                    }
                    (_, _) => {}
                }
            }
            Event::AcceptorEmptied { drop, acceptor, expected, by, second, .. } => {
                self.drop_no = *drop;
                self.acceptors.remove(acceptor);
                let by = [by.clone(), second.clone()];
                let dropped = DropBox { acceptor: acceptor.clone(), expected: *expected, by };
                self.drops.insert(*drop, dropped);
            }
            Event::AcceptorCounted { drop, .. } => {
                self.drops.remove(drop);
            }
            Event::CashOutHeld { patron, slip, amount, matters, .. } => {
                self.slip_no = *slip;
                let (patron, amount, matters) = (*patron, *amount, matters.clone());
                self.change(patron, |account| {
                    account.credits = rest(account.credits, amount);
                    account.unclaimed += u128::from(amount.get());
                });
                self.held_back.insert(*slip, HeldBack { patron, amount, matters });
            }
            Event::PayoutHoldOrdered { slip, patron, round, reference, .. } => {
                self.slip_no = *slip;
                let (patron, round, reference) = (*patron, *round, reference.clone());
                let held = HeldPayout { patron, round, reference, amount: Money::ZERO };
                self.held_payouts.insert(*slip, held);
            }
            Event::PayoutHeld { slip, patron, amount: all, from_unclaimed, .. } => {
                let (chips, in_pocket) = (self.is_chips(), rest(*all, *from_unclaimed));
                if chips {
                    // It had been counted as handed out.
                    self.books.given -= amount(in_pocket);
                }
                self.change(*patron, |account| {
                    account.unclaimed -= u128::from(from_unclaimed.get());
                    if !chips {
                        account.credits = rest(account.credits, in_pocket);
                    }
                });
                let held = self.held_payouts.get_mut(slip).expect("a payout that is to be held");
                held.amount = sum(held.amount, *all);
            }
            Event::HeldDecided { slip, patron, amount: decided, outcome, .. } => {
                self.held_payouts.remove(slip);
                match outcome {
                    HeldOutcome::Released => self.change(*patron, |account| {
                        account.unclaimed += u128::from(decided.get());
                    }),
                    HeldOutcome::Forfeited => self.books.given += amount(*decided),
                }
            }
            Event::HoldExtended { matter, until, .. } => {
                for it in self.matters.iter_mut().filter(|it| it.no == *matter) {
                    it.money_until = Some(*until);
                }
            }
            Event::CashedOut { patron, amount: out, .. } => {
                self.books.given += amount(*out);
                self.change(*patron, |account| {
                    // Planted: the credits stay.
                    account.credits =
                        rest(account.credits, if is(Bug::CashOutLeavesCredits) { Money::ZERO } else { *out });
                    account.away = false;
                });
            }
            Event::Collected { patron, amount: collected, .. } => {
                let chips = self.is_chips();
                self.change(*patron, |account| {
                    account.owed = rest(account.owed, *collected);
                    if !chips {
                        account.credits = rest(account.credits, *collected);
                    }
                });
                if chips {
                    self.books.received += amount(*collected);
                    self.move_float(amount(*collected));
                }
            }
            Event::SeatTaken { patron, box_no } => {
                self.seats.insert(*box_no, *patron);
            }
            Event::SeatLeft { box_no, .. } => {
                self.seats.remove(box_no);
            }
            Event::WalkedAway { patron, .. } => self.change(*patron, |account| account.away = true),
            Event::UnclaimedKept { patron, amount: kept, slip, by, attendant, .. } => {
                if let (Some(slip), Some(by), Some(attendant)) = (slip, by, attendant) {
                    self.slip_no = *slip;
                    let (patron, amount) = (*patron, *kept);
                    let (by, attendant) = (by.clone(), attendant.clone());
                    self.set_aside.insert(*slip, SetAside { patron, amount, by, attendant });
                }
                let chips = self.is_chips();
                self.change(*patron, |account| {
                    account.unclaimed += u128::from(kept.get());
                    if !chips {
                        account.credits = rest(account.credits, *kept);
                        account.away = false;
                    }
                });
                if chips {
                    // They had been handed back in the settlement.
                    self.books.given -= amount(*kept);
                }
            }
            Event::SetAsideReviewed { slip, .. } => {
                self.set_aside.remove(slip);
            }
            Event::UnclaimedPaid { patron, amount: paid } => {
                self.books.given += amount(*paid);
                self.change(*patron, |account| account.unclaimed -= u128::from(paid.get()));
            }

            Event::FloatOpened { amount } => self.float = Some(amount.get() as i64),
            Event::FloatCovered { .. } => self.float_covered = true,
            Event::FloatUncovered { .. } => self.float_covered = false,
            Event::FloatClosed { .. } => self.float = None,
            Event::Filled { amount: chips, .. } => self.move_float(amount(*chips)),
            Event::Credited { amount: chips, .. } | Event::Dropped { amount: chips } => {
                self.move_float(-amount(*chips));
            }

            Event::TerminalLost { patron, .. } => self.change(*patron, |account| account.lost = true),
            Event::TerminalRestored { patron } => self.change(*patron, |account| account.lost = false),
            Event::DisputeOpened { dispute, round, patron, words, timely, seconds, about, pictured } => {
                self.dispute_no = *dispute;
                let opened = Dispute {
                    round: *round,
                    patron: *patron,
                    words: words.clone(),
                    bundle: None,
                    timely: *timely,
                    seconds: *seconds,
                    since: None,
                    seen: false,
                    spoken: false,
                    about: *about,
                    pictured: pictured.clone(),
                };
                self.disputes.insert(*dispute, opened);
            }
            Event::DisputeSeen { dispute, surveillance, .. } => {
                let dispute = self.disputes.get_mut(dispute).expect("a dispute that is open");
                dispute.seen = true;
                dispute.spoken |= surveillance.is_some();
            }
            Event::DisputeBundled { dispute, digest } => {
                self.disputes.get_mut(dispute).expect("a dispute that is open").bundle = Some(*digest);
            }
            Event::DisputeClosed { dispute, .. } => {
                self.disputes.remove(dispute);
            }
            Event::PostTaken { person, post } => {
                self.posts.insert(person.clone(), *post);
            }
            Event::PostLeft { person, .. } => {
                self.posts.remove(person);
            }
            Event::ShiftStarted { name } => {
                self.shift = Some(name.clone());
                self.miskeyed.clear();
            }
            Event::ClockJumped { .. } => {}
        }
    }

    /// A note is in an acceptor and stands on the terminal.
    fn take_note(&mut self, patron: PatronNo, acceptor: &DeviceId, note: Money) {
        self.books.received += amount(note);
        let there = self.acceptors.entry(acceptor.clone()).or_default();
        *there = sum(*there, note);
        self.change(patron, |account| {
            account.credits = sum(account.credits, note);
            account.away = false;
        });
    }

    fn round_in_play(&mut self) -> &mut Round {
        match &mut self.phase {
            Phase::Round(round) => round,
            Phase::Closed | Phase::Between { .. } => panic!("an event of a Round while none is in play"),
        }
    }

    fn shoe_in_use(&mut self) -> &mut ShoeInUse {
        self.shoe.as_mut().expect("an event of a shoe while none is in use")
    }

    fn is_chips(&self) -> bool {
        let settings = self.settings.as_ref().expect("an open table");
        settings.money == punto_record::MoneyKind::Chips
    }

    fn open(&mut self, matter: Matter) {
        let Phase::Round(round) = &mut self.phase else {
            self.matters.push(matter);
            return;
        };
        if !matter.holds {
            self.matters.push(matter);
            return;
        }
        hold(&mut round.stage, matter);
    }

    fn settle(&mut self, no: punto_record::RoundNo, drawn: Vec<Card>, lines: &[SettledLine], house: i64) {
        let Phase::Round(round) = std::mem::replace(&mut self.phase, Phase::Closed) else {
            panic!("a Round is settled while it is in play");
        };
        self.carried = round.order[drawn.len()..].to_vec();
        self.carried_ruled = false;
        for line in lines {
            self.pay(line.patron, line.to_patron);
            // Planted: winnings twice.
            if is(Bug::DoubleCredit) {
                self.pay(line.patron, line.winnings);
            }
        }
        self.book_house(house.into());
        let (lines, shoe, taken_back) = (lines.to_vec(), round.shoe, round.taken_back);
        let last = LastRound { no, result: None, lines, house, drawn, shoe, taken_back };
        self.phase = Phase::Between { last: Some(last) };
        self.take_cards_back();
    }
}

/// A matter holds the Round. What an interruption broke off is held until the cards that are out are known.
fn hold(stage: &mut Stage, matter: Matter) {
    match stage {
        Stage::Interrupted { before } => hold(before, matter),
        Stage::Held { matters, .. } => matters.push(matter),
        Stage::Betting { closes_at } => {
            let (waiting, closes_at) = (BTreeSet::new(), Some(*closes_at));
            *stage = Stage::Held { matters: vec![matter], waiting, closes_at };
        }
        Stage::Choosing { waiting, .. } => {
            let waiting = std::mem::take(waiting);
            *stage = Stage::Held { matters: vec![matter], waiting, closes_at: None };
        }
        Stage::Dealing {} | Stage::Unread {} | Stage::Confirming { .. } => {
            let waiting = BTreeSet::new();
            *stage = Stage::Held { matters: vec![matter], waiting, closes_at: None };
        }
    }
}

fn mark(result: &RoundResult) -> Mark {
    Mark { winner: result.winner, pairs: result.pairs, natural: result.natural }
}

fn amount(money: Money) -> i128 {
    money.get().into()
}

fn sum(a: Money, b: Money) -> Money {
    a.plus(b).expect("decided only if it fits")
}

fn rest(a: Money, b: Money) -> Money {
    a.minus(b).expect("decided only if it is there")
}
