//! What each order asks, whether it is the time for it, and what the rules make of it.

use punto_record::{Command, CommandKind, Event, Person, PostsBy, RoundNo, ShoeNo};
use punto_rules::{Burn, Cite, IrregularityKind, Money};

use super::Look;
use super::books::money;
use super::dues::Next;
use super::round::{Round, Stage};
use super::shoe::Shoe;
use crate::finding::FindingKind;

impl Look<'_> {
    pub(super) fn say(&mut self, kind: FindingKind, words: &str) {
        self.out.say(kind, words);
    }

    pub(super) fn must(&mut self, holds: bool, kind: FindingKind, words: &str) {
        self.out.hold(holds, kind, words);
    }

    pub(super) fn in_turn(&mut self, holds: bool, words: &str) {
        self.must(holds, FindingKind::OutOfTurn, words);
    }

    pub(super) fn round(&self) -> Option<&Round> {
        self.table.round.as_ref()
    }

    pub(super) fn is_stage(&self, stage: Stage) -> bool {
        self.round().is_some_and(|round| round.stage == stage && !round.interrupted)
    }

    pub(super) fn between(&mut self) {
        self.in_turn(self.table.round.is_none(), "a Round is in play");
    }

    pub(super) fn reason(&mut self, reason: &str) {
        self.must(!reason.trim().is_empty(), FindingKind::NoReason, "a reason is missing");
    }

    pub(super) fn something(&mut self, amount: Money) {
        self.must(!amount.is_zero(), FindingKind::WrongCredits, "an amount of nothing");
    }

    fn named_round(&mut self) {
        let current = self.round().map_or(self.table.rounds, |round| round.no);
        let named = self.order.round;
        let needed = self.order.command.kind().facts().names_its_round;
        let holds = named.map_or(!needed, |round| round == current);
        self.must(holds, FindingKind::WrongRound, "the order names another Round, or none");
    }

    /// Works out what an order makes due.
    pub(super) fn ask(&mut self, command: &Command) {
        self.named_round();
        if self.round().is_some_and(|round| round.interrupted) {
            let rules = command.kind() == CommandKind::Rule && self.is_disputed();
            let facts = [
                CommandKind::ConfirmCards,
                CommandKind::NoteClock,
                CommandKind::ReportCase,
                CommandKind::CoverFloat,
                CommandKind::UncoverFloat,
            ];
            let may = rules || facts.contains(&command.kind());
            // INTERPRETATION 21: until the cards are confirmed the table takes nothing else.
            self.in_turn(may, "the table is interrupted");
        }
        if self.table.float_covered {
            // INTERPRETATION 51: nobody is there; people come and go, and say what they claim.
            let may = matches!(
                command.kind(),
                CommandKind::UncoverFloat
                    | CommandKind::NoteClock
                    | CommandKind::Report
                    | CommandKind::TakeSeat
                    | CommandKind::LeaveSeat
                    | CommandKind::TakePost
                    | CommandKind::LeavePost
                    | CommandKind::StartShift
                    | CommandKind::OpenDispute
                    | CommandKind::BundleDispute
                    | CommandKind::SeeDispute
            );
            self.in_turn(may, "the float is covered");
        }
        match command {
            Command::OpenTable { .. } | Command::ChangeSettings { .. } => {}
            Command::ChangeLimits { betting_box, bets, other_bets } => {
                self.change_limits(*betting_box, bets, *other_bets);
            }
            Command::AnnounceClosing {} => {
                self.in_turn(self.table.closing.is_none(), "closing was announced before");
                self.due.push(Event::ClosingAnnounced { last_round: after(self.table.rounds) });
            }
            Command::CloseTable {} => self.close_table(),

            Command::LoadShoe { card_set, shuffled_by, commitment } => {
                self.between();
                self.in_turn(self.table.shoe.is_none(), "a shoe is in use");
                self.must(
                    !self.law.is_software() || commitment.is_some(),
                    FindingKind::WrongShoe,
                    UNCOMMITTED,
                );
                let (shoe, cards) = (next_shoe(self.table.shoes), self.law.set_size());
                let (card_set, shuffled_by) = (card_set.clone(), shuffled_by.clone());
                let commitment = *commitment;
                self.due.push(Event::ShoeLoaded { shoe, card_set, cards, shuffled_by, commitment });
            }
            Command::InspectCards { missing, extra } => {
                let shoe = self.unstarted();
                let (missing, extra) = (missing.clone(), extra.clone());
                if !missing.is_empty() || !extra.is_empty() {
                    self.due.then(Next::Exchange(IrregularityKind::ShortageOrExcess));
                }
                self.due.push(Event::CardsInspected { shoe, missing, extra });
            }
            Command::CutCards { at } => {
                let shoe = self.unstarted();
                let holds = (1..self.law.set_size()).contains(at);
                self.must(holds, FindingKind::WrongShoe, "a cut before the first card or after the last");
                self.due.push(Event::CardsCut { shoe, at: *at });
            }
            Command::BurnCards { shown, count } => {
                let shoe = self.unstarted();
                let shows = self.law.settings.burn != Burn::ByFirstCard || shown.is_some();
                let holds = *count > 0 && *count == self.law.burn(*shown) && shows;
                self.must(
                    holds,
                    FindingKind::WrongShoe,
                    "another number of cards was burnt than the table burns",
                );
                self.due.push(Event::CardsBurnt { shoe, shown: *shown, count: *count });
            }
            Command::RetireShoe { reason } => {
                self.between();
                self.change_shoe(reason);
            }
            Command::ExchangeShoe { card_set, shuffled_by, commitment, reason } => {
                let awaited = self.round().is_some_and(|round| round.shoe_awaited);
                self.in_turn(self.round().is_none() || awaited, "a Round is in play and no shoe is awaited");
                let holds = self.round().is_none() || shuffled_by.is_some();
                self.must(holds, FindingKind::WrongShoe, "cards put in during a Round that nobody shuffled");
                self.must(
                    !self.law.is_software() || commitment.is_some(),
                    FindingKind::WrongShoe,
                    UNCOMMITTED,
                );
                self.change_shoe(reason);
                let (shoe, cards) = (next_shoe(self.table.shoes), self.law.set_size());
                let (card_set, shuffled_by) = (card_set.clone(), shuffled_by.clone());
                let commitment = *commitment;
                self.due.push(Event::ShoeLoaded { shoe, card_set, cards, shuffled_by, commitment });
            }
            Command::ReconcileShoe { shoe, left, discarded } => self.reconcile(*shoe, left, discarded),
            Command::RevealShoe { shoe, salt, cards } => {
                self.reveal(*shoe, salt.as_bytes(), cards);
                let (salt, cards) = (salt.clone(), cards.clone());
                self.due.push(Event::ShoeRevealed { shoe: *shoe, salt, cards });
            }
            Command::RuleCarriedCards { keep, reason } => {
                self.between();
                self.reason(reason);
                // INTERPRETATION 36: cards that decide no bet are used.
                let decides = self.first || self.law.decides(&self.table.carried);
                let waits = !self.table.carried.is_empty() && !self.table.carried_ruled && decides;
                self.in_turn(waits, "no carried cards wait for a decision");
                let cite = if self.first { self.law.uncovered().clone() } else { Cite::interpretation(24) };
                self.due.push(Event::CarriedCardsRuled { keep: *keep, cite });
                if !keep {
                    self.discard_carried();
                }
            }

            Command::OpenBets {} => self.open_bets(),
            Command::CloseBets {} => {
                self.in_turn(self.is_stage(Stage::Betting), "bets are not open");
                // INTERPRETATION 18: electronic tables close by the clock.
                let due = self.round().is_none_or(|round| self.at >= round.closes_at);
                self.must(
                    !self.law.is_electronic() || due,
                    FindingKind::WrongTime,
                    "bets closed before their time",
                );
                self.nothing_noticed();
                self.close();
                self.due.then(Next::Choices);
            }
            Command::PlaceWager { patron, box_no, stance, bet, stake } => {
                let stance = self.stance(*patron, *box_no, *stance);
                self.place(*patron, *box_no, stance, bet, *stake);
            }
            Command::WithdrawWager { patron, box_no, bet, amount } => {
                self.withdraw(*patron, *box_no, bet, *amount);
            }
            Command::RecordChips { patron, box_no, stance, bet, stake } => {
                self.in_turn(self.is_stage(Stage::Betting), "bets are not open");
                let Some(stance) = self.stance(*patron, Some(*box_no), *stance) else { return };
                self.chips(*patron, *box_no, stance, bet, *stake);
                let side = self.law.terms.bet_no(bet.as_str()).and_then(|no| self.law.terms.bet(no).original);
                let (patron, box_no, stake) = (*patron, *box_no, *stake);
                let recorded = bet.clone();
                self.due.push(Event::ChipsRecorded { patron, box_no, stance, bet: recorded, side, stake });
                self.flags_after(patron, box_no, bet, side, Some(stance), stake);
            }
            Command::RejectExcess { box_no } => {
                self.in_turn(self.is_stage(Stage::Betting), "bets are not open");
                self.must(
                    !self.law.is_enforced(),
                    FindingKind::WrongTrim,
                    "only an observed table rejects an excess",
                );
                self.due.then(Next::Trim(*box_no));
            }
            Command::Advise { patron, box_no, bet } => self.advise(*patron, *box_no, bet),
            Command::AmendWager {
                patron,
                box_no,
                stance,
                bet,
                stake,
                reason,
                surveillance,
                second,
                second_post: _,
            } => {
                self.reason(reason);
                let Some(stance) = self.stance(*patron, Some(*box_no), *stance) else { return };
                let chips = (*patron, *box_no, stance, bet, *stake);
                self.amend(chips, surveillance.as_ref(), second.as_ref());
            }

            Command::HandCards { side, patron } => self.hand_cards(*side, *patron),
            Command::AskSqueeze { patron, card } => self.ask_squeeze(*patron, *card),
            Command::GrantSqueeze { patron, card, grant } => {
                let asked = |round: &Round| round.squeezes.contains(&(*patron, *card, None));
                let holds =
                    self.round().is_some_and(|round| asked(round) && round.drawn.len() < (*card).into());
                self.must(holds, FindingKind::WrongCard, "a squeeze that was not asked for, or too late");
                let theirs = self.first || !grant || self.highest() == Some(*patron);
                self.must(
                    theirs,
                    FindingKind::WrongCard,
                    "a squeeze of somebody who has not the highest bet",
                );
                self.due.push(Event::SqueezeAnswered { patron: *patron, card: *card, granted: *grant });
            }
            Command::DrawCard { card, source, to } => self.draw_card(card, *source, *to),
            Command::ReadCard { card } => self.read_card(card),
            Command::CorrectCard { at, was, card } => self.correct_card(*at, *was, *card),
            Command::TurnCards { cards } => self.turn(cards),
            Command::ConfirmCards { cards, second } => self.confirm_cards(cards, second.as_ref()),
            Command::ConfirmResult {} => {
                let holds =
                    self.is_stage(Stage::Confirming) && self.round().is_some_and(|it| !it.has_covered());
                // INTERPRETATION 19: nothing settles while an irregularity is open.
                self.in_turn(holds, "the Round is not to be confirmed");
                self.settle();
            }

            Command::Report { report } => self.report(report),
            Command::Rule { matter, ruling, replace_shoe, reason, second, second_post: _, departs } => {
                self.rule(*matter, ruling, *replace_shoe, reason, second.as_ref(), *departs);
            }
            Command::Choose { patron, choice } => self.choose(*patron, *choice),
            Command::CloseChoices {} => self.close_choices(),

            Command::BuyCredits { patron, amount } => {
                self.credits_kept();
                self.something(*amount);
                let credits = self.credits_after(*patron, *amount);
                self.due.push(Event::CreditsBought { patron: *patron, amount: *amount, credits });
            }
            Command::AcceptNote { patron, amount } => self.accept_note(*patron, *amount),
            Command::ReportCase { patron, report } => self.report_case(*patron, report),
            Command::SettleCase { case, outcome, reason, second } => {
                self.settle_case(*case, outcome, reason, second.as_ref());
            }
            Command::EmptyAcceptor { acceptor, second } => self.empty_acceptor(acceptor, second.as_ref()),
            Command::CountAcceptor { drop, counted, second } => {
                self.count_acceptor(*drop, *counted, second.as_ref());
            }
            Command::RedeemTicket { .. } => self.credits_kept(),
            Command::CashOut { patron, .. } => self.cash_out(*patron),
            Command::Collect { patron, amount, .. } => {
                let account = self.table.books.account(*patron);
                let paid = super::books::amount(*amount);
                let most = if self.law.is_chips() { account.owed } else { account.owed.min(account.credits) };
                self.must(
                    paid > 0 && paid <= most,
                    FindingKind::WrongCredits,
                    "more is collected than is owed",
                );
                let float = !self.law.is_chips() || self.table.books.float.is_some();
                self.in_turn(float, "the float is not open");
                let owed = money(account.owed - paid).unwrap_or_default();
                self.due.push(Event::Collected { patron: *patron, amount: *amount, owed });
            }
            Command::RecordPush { round, patron, counted, surveillance, second, second_post: _ } => {
                self.record_push(*round, *patron, *counted, surveillance, second.as_ref());
            }
            Command::HoldPayout { patron, reference } => self.hold_payout(*patron, reference),
            Command::DecideHeld { slip, outcome, reference, second, second_post: _ } => {
                self.decide_held(*slip, *outcome, reference, second.as_ref());
            }
            Command::ExtendHold { matter, reason } => self.extend_hold(*matter, reason),
            Command::KeepUnclaimed { patron, attendant } => {
                self.keep_unclaimed(*patron, attendant.as_ref());
            }
            Command::ReviewSetAside { slip, reason } => self.review(*slip, reason),
            Command::PayUnclaimed { patron, amount, .. } => self.pay_unclaimed(*patron, *amount),

            Command::OpenFloat { amount, .. } => {
                self.chips_kept();
                self.in_turn(self.table.books.float.is_none(), "the float is open");
                self.due.push(Event::FloatOpened { amount: *amount });
            }
            Command::CloseFloat { counted, .. } => {
                self.chips_kept();
                self.between();
                self.nothing_held();
                self.disputes_decided();
                self.float_open();
                let float = self.table.books.float.unwrap_or(0);
                let expected = i64::try_from(float).unwrap_or(if float < 0 { i64::MIN } else { i64::MAX });
                self.due.push(Event::FloatClosed { counted: *counted, expected });
            }
            Command::Fill { amount, slip, .. } => {
                self.moves_chips(*amount, false);
                self.due.push(Event::Filled { amount: *amount, slip: slip.clone() });
            }
            Command::Credit { amount, slip, .. } => {
                self.moves_chips(*amount, true);
                self.due.push(Event::Credited { amount: *amount, slip: slip.clone() });
            }
            Command::CoverFloat { cause } => {
                self.chips_kept();
                self.float_open();
                self.in_turn(!self.table.float_covered, "the float was covered before");
                self.due.push(Event::FloatCovered { cause: *cause, cite: Cite::interpretation(51) });
            }
            Command::UncoverFloat { second } => {
                self.in_turn(self.table.float_covered, "the float was not covered");
                let other = second.clone().filter(|it| Some(it) != self.order.by.person());
                match other {
                    Some(second) => {
                        self.due.push(Event::FloatUncovered { second, cite: Cite::interpretation(51) });
                    }
                    None => self.say(FindingKind::SecondPerson, "a second person must agree"),
                }
            }
            Command::Drop { amount, .. } => {
                self.moves_chips(*amount, true);
                self.due.push(Event::Dropped { amount: *amount });
            }

            Command::TakeSeat { patron, box_no } => self.take_seat(*patron, *box_no),
            Command::LeaveSeat { box_no } => self.leave_seat(*box_no),
            Command::LoseTerminal { patron } => {
                let lost = self.table.books.account(*patron).lost;
                self.must(!lost, FindingKind::WrongNote, "the terminal was lost before");
                let cite = self.law.cite(IrregularityKind::TerminalInterruption).cloned();
                self.due.push(Event::TerminalLost { patron: *patron, cite });
            }
            Command::RestoreTerminal { patron } => {
                let lost = self.table.books.account(*patron).lost;
                self.must(lost, FindingKind::WrongNote, "the terminal was not lost");
                self.due.push(Event::TerminalRestored { patron: *patron });
            }
            Command::OpenDispute { round, patron, words, about, box_no } => {
                self.open_dispute(*round, *patron, words, (*about, *box_no));
            }
            Command::BundleDispute { dispute, digest } => {
                self.dispute(*dispute);
                self.due.push(Event::DisputeBundled { dispute: *dispute, digest: *digest });
            }
            Command::SeeDispute { dispute, surveillance } => {
                self.see_dispute(*dispute, surveillance.as_ref());
            }
            Command::CloseDispute { dispute, words, matter } => {
                self.close_dispute(*dispute, words, *matter);
            }
            Command::TakePost { person, post } => {
                self.due.push(Event::PostTaken { person: person.clone(), post: *post });
            }
            Command::LeavePost { person, post } => {
                let has = self.table.posts.get(person) == Some(post);
                self.must(has, FindingKind::WrongNote, "somebody left a post that they did not have");
                self.due.push(Event::PostLeft { person: person.clone(), post: *post });
            }
            Command::StartShift { name } => {
                // INTERPRETATION 46: posts are held for a shift; whoever begins the next one keeps theirs.
                if self.law.settings.posts == PostsBy::Held {
                    let others = |person: &Person| Some(person) != self.order.by.person();
                    let posts = self.table.posts.iter().filter(|(person, _)| others(person));
                    for (person, post) in posts {
                        self.due.push(Event::PostLeft { person: person.clone(), post: *post });
                    }
                }
                self.due.push(Event::ShiftStarted { name: name.clone() });
            }
            Command::NoteClock { from, to } => self.due.push(Event::ClockJumped { from: *from, to: *to }),
        }
        if self.due.is_empty() {
            self.follow();
        }
    }

    fn close_table(&mut self) {
        self.between();
        self.nothing_held();
        self.disputes_decided();
        let (table, played) = (self.table, self.table.rounds > self.table.rounds_before);
        let announced = !played || table.closing.is_some();
        self.in_turn(announced, "the table closed before closing was announced");
        let to_play = table.closing.filter(|last| played && table.rounds < *last);
        if let Some(round) = to_play {
            // INTERPRETATION 33: whether it could have been played is said by `readings/r33.rs`, which knows the house's volume.
            self.in_turn(self.last_dropped, "the table closed before the Round announced as its last");
            if self.last_dropped {
                self.due.push(Event::LastRoundDropped { round, cite: Cite::interpretation(33) });
            }
        }
        self.in_turn(!table.books.has_credits(), "credits stand on a terminal");
        self.in_turn(table.acceptors.is_done(), "an acceptor holds notes, or a case is open");
        self.in_turn(table.books.float.is_none() && table.shoe.is_none(), "float or shoe is still there");
        self.due.push(Event::TableClosed {});
    }

    /// "Place your Bets, please" (1.22, 3.3): carried cards open the Round.
    fn open_bets(&mut self) {
        self.between();
        self.nothing_held();
        self.disputes_heard();
        let table = self.table;
        self.in_turn(table.closing.is_none_or(|last| table.rounds < last), "the last Round was played");
        self.in_turn(!self.law.is_chips() || table.books.float.is_some(), "the float is not open");
        let (left, carried) = (table.shoe.as_ref().map_or(0, Shoe::left), table.carried.len());
        match &table.shoe {
            None => self.in_turn(false, "no shoe is loaded"),
            Some(shoe) => {
                self.in_turn(shoe.must_exchange.is_none(), "the cards had to be exchanged");
                self.in_turn(shoe.shuffled, "nobody recorded that the cards were shuffled");
                let burnt = shoe.is_started() || self.law.burn(None) == 0;
                self.in_turn(burnt, "no cards were burnt");
                self.in_turn(!shoe.cut_card_out, "the cut card was out");
            }
        }
        self.in_turn(left as usize + carried >= 4, "too few cards were left");
        // INTERPRETATION 24: where carried cards decide a bet, opening waits for the Shift Manager.
        let waits = carried > 0 && !table.carried_ruled && self.law.decides(&table.carried);
        self.in_turn(!waits, "carried cards that decide a bet were not ruled on");
        self.announced_limits();
        let closes_at = self.at.plus_seconds(self.law.settings.betting_seconds);
        self.due.push(Event::BetsOpened {
            round: after(table.rounds),
            shoe: self.shoe_no(),
            carried: table.carried.clone(),
            closes_at,
            cite: self.law.rulebook.play.open_bets.clone(),
            approval: self.approval,
        });
        self.carried_cards();
    }

    fn nothing_held(&mut self) {
        let held = self.table.matters.iter().any(|matter| matter.holds);
        self.in_turn(!held, "a matter must be ruled first");
    }
}

const UNCOMMITTED: &str = "a software shoe without a commitment to its order";

fn after(round: RoundNo) -> RoundNo {
    RoundNo(round.0.saturating_add(1))
}

fn next_shoe(shoe: ShoeNo) -> ShoeNo {
    ShoeNo(shoe.0.saturating_add(1))
}
