//! Events become the auditor's own state of a table. Nothing is judged here, and nothing a record can say makes it fail:
//! after a finding the audit goes on with what the record says.

use punto_record::{CardDevice, CaseOutcome, Change, Event, Faces, MoneyKind, Report};
use punto_rules::Card;

use super::books::amount;
use super::round::{Key, Last, Matter, Round, Stage};
use super::shoe::Shoe;
use super::{Kind, Table};

impl Table {
    pub(crate) fn apply(&mut self, event: &Event) {
        self.earlier.learn(event);
        if let Event::TableOpened { settings, digest, .. } | Event::SettingsChanged { settings, digest, .. } =
            event
        {
            if self.digest != Some(*digest) || self.layout != settings.layout {
                self.earlier.forget();
            }
            self.layout.clone_from(&settings.layout);
        }
        match event {
            Event::TableOpened { settings, digest, .. } => {
                (self.open, self.last, self.rounds_before) = (true, None, self.rounds);
                self.announced = None;
                self.digest = Some(*digest);
                self.kind = Kind {
                    chips: settings.money == MoneyKind::Chips,
                    continuous: settings.device == CardDevice::ContinuousShuffler,
                    face_down: settings.faces == Faces::Down,
                };
            }
            Event::SettingsChanged { settings, digest, .. } => {
                self.digest = Some(*digest);
                self.announced = None;
                self.kind = Kind {
                    chips: settings.money == MoneyKind::Chips,
                    continuous: settings.device == CardDevice::ContinuousShuffler,
                    face_down: settings.faces == Faces::Down,
                };
            }
            Event::LimitsAnnounced { betting_box, bets, from, .. } => {
                self.announced = Some(((*betting_box, bets.clone()), *from));
            }
            Event::LimitsChanged { .. } => self.announced = None,
            Event::ClosingAnnounced { last_round } => self.closing = Some(*last_round),
            Event::LastRoundDropped { .. } => {}
            Event::TableClosed {} => {
                (self.open, self.closing, self.last) = (false, None, None);
                self.announced = None;
                self.carried.clear();
                self.seats.clear();
            }

            Event::ShoeLoaded { shoe, cards, shuffled_by, commitment, .. } => {
                self.shoes = *shoe;
                self.shoe = Some(Shoe::new(*shoe, *cards, shuffled_by.is_some(), *commitment));
                if let Some(round) = &mut self.round {
                    (round.shoe, round.shoe_awaited) = (*shoe, false);
                }
            }
            Event::CardsInspected { .. } | Event::CardsCut { .. } => {}
            Event::CardsBurnt { shown, count, .. } => {
                if let Some(shoe) = &mut self.shoe {
                    shoe.burnt = shoe.burnt.saturating_add(u32::from(*count));
                    shoe.burnt_shown = *shown;
                    shown.iter().for_each(|card| shoe.dealt.add(*card));
                }
            }
            Event::CutCardReached { .. } => {
                if let Some(shoe) = &mut self.shoe {
                    shoe.cut_card_out = true;
                }
            }
            Event::ShoeExchangeRequired { cite, .. } => {
                if let Some(shoe) = &mut self.shoe {
                    shoe.must_exchange = Some(cite.clone());
                }
            }
            Event::ShoeReplacementOrdered { .. } => {
                if let Some(round) = &mut self.round {
                    round.shoe_awaited = true;
                }
            }
            Event::ShoeRetired { reason, .. } => {
                let shoe = self.shoe.take();
                self.retired.extend(shoe.map(|shoe| Shoe { retired: Some(reason.clone()), ..shoe }));
            }
            Event::ShoeReconciled { shoe, .. } => {
                self.retired.iter_mut().filter(|it| it.no == *shoe).for_each(|it| it.reconciled = true);
                self.retired.retain(|it| !it.reconciled || it.commitment.is_some());
            }
            Event::ShoeRevealed { shoe, .. } => {
                self.retired.iter_mut().filter(|it| it.no == *shoe).for_each(|it| it.commitment = None);
                self.retired.retain(|it| !it.reconciled || it.commitment.is_some());
            }
            Event::CarriedCardsRuled { keep, .. } => self.carried_ruled = *keep,
            Event::CarriedCardsDiscarded { .. } => match &mut self.round {
                Some(round) => {
                    let kept = round.order.len() - round.left_over().len();
                    round.order.truncate(kept);
                }
                None => self.drop_carried(),
            },

            Event::BetsOpened { round, shoe, closes_at, .. } => {
                self.rounds = *round;
                self.drop_carried();
                self.last = None;
                if let Some(round) = self.round.take() {
                    self.books.felt -= round.total();
                }
                self.round = Some(Round::new(*round, *shoe, *closes_at));
            }
            Event::WagerRegistered { patron, box_no, stance, bet, side, amount, .. } => {
                self.is_back(*patron);
                let key = Key { patron: *patron, box_no: *box_no, bet: bet.clone() };
                self.stake(key, *stance, *side, *amount);
            }
            Event::WagerWithdrawn { patron, box_no, bet, amount, .. } => {
                self.unstake(&Key { patron: *patron, box_no: *box_no, bet: bet.clone() }, *amount);
            }
            Event::WagerTrimmed { patron, box_no, bet, amount, .. }
            | Event::WagerReturned { patron, box_no, bet, amount, .. } => {
                self.unstake(&Key { patron: *patron, box_no: Some(*box_no), bet: bet.clone() }, *amount);
            }
            Event::ChipsRecorded { patron, box_no, stance, bet, side, stake } => {
                let key = Key { patron: *patron, box_no: Some(*box_no), bet: bet.clone() };
                if self.round.as_ref().is_some_and(|round| !round.wagers.contains_key(&key)) {
                    self.is_back(*patron);
                }
                self.set_stake(key, *stance, *side, *stake);
            }
            Event::WagerAmended { patron, box_no, stance, bet, side, stake, parts, .. } => {
                let key = Key { patron: *patron, box_no: Some(*box_no), bet: bet.clone() };
                self.set_stake(key, *stance, *side, *stake);
                if let Some(round) = &mut self.round {
                    round.set_parts(Some(*box_no), parts);
                }
            }
            Event::LimitsFlagged { .. }
            | Event::SideBetFlagged { .. }
            | Event::StackFlagged { .. }
            | Event::LateBetRefused { .. } => {}
            Event::PatronAdvised { patron, box_no, bet, .. } => {
                let key = Key { patron: *patron, box_no: Some(*box_no), bet: bet.clone() };
                let round = self.round.iter_mut();
                round.filter_map(|it| it.wagers.get_mut(&key)).for_each(|it| it.advised = true);
            }
            Event::BetsClosed { parts, .. } => {
                if let Some(round) = &mut self.round {
                    round.set_parts(None, parts);
                    round.bets_open = false;
                    if round.stage != Stage::Held {
                        round.stage = Stage::Dealing;
                    }
                }
            }

            Event::HandAccepted { .. } => {}
            Event::SqueezeAsked { patron, card, .. } => {
                if let Some(round) = &mut self.round {
                    round.squeezes.push((*patron, *card, None));
                }
            }
            Event::SqueezeAnswered { patron, card, granted } => {
                let squeezes = self.round.iter_mut().flat_map(|round| &mut round.squeezes);
                let mut asked = squeezes.filter(|it| (it.0, it.1) == (*patron, *card));
                if let Some(asked) = asked.next() {
                    asked.2 = Some(*granted);
                }
            }
            Event::CardDrawn { card, side, source, covered } => self.draw(card, *side, *source, *covered),
            Event::CardRead { card } => {
                if let Some(round) = &mut self.round {
                    round.stage = Stage::Dealing;
                    if let Some(last) = round.drawn.last_mut() {
                        (last.seen, last.correctable) = (card.clone(), card.card().is_some());
                    }
                    if let Some(card) = card.card() {
                        round.order.push(card);
                        self.shoe.iter_mut().for_each(|shoe| shoe.dealt.add(card));
                    }
                }
            }
            Event::CardCorrected { at, card, .. } => self.keyed_anew(*at, *card),
            Event::CardsTurned { cards, .. } => {
                if let Some(round) = &mut self.round {
                    for card in cards {
                        let place = usize::from(*card).wrapping_sub(1);
                        round.drawn.get_mut(place).into_iter().for_each(|dealt| dealt.covered = false);
                    }
                }
            }
            Event::RoundCompleted { result } => {
                if let Some(round) = &mut self.round {
                    (round.stage, round.result) = (Stage::Confirming, Some(result.clone()));
                }
            }

            Event::MatterOpened { matter, kind, report, holds, money_until, .. } => {
                self.matter_no = *matter;
                if let (Report::WrongSide { hands } | Report::WrongNumberOfCards { hands, .. }, Some(round)) =
                    (report, &mut self.round)
                {
                    round.lay(hands);
                }
                let cards = if let Report::SimultaneousDraw { cards, .. } = report { cards.len() } else { 0 };
                let from = self.round.as_ref().map_or(0, |round| round.order.len().saturating_sub(cards));
                let (no, report, round) = (*matter, report.clone(), self.rounds);
                let (holds, money_until) = (*holds, *money_until);
                self.open_matter(Matter { no, kind: *kind, report, holds, round, from, money_until });
            }
            Event::Ruled { matter, choice, .. } => {
                self.matters.retain(|it| it.no != *matter);
                if let Some(round) = &mut self.round {
                    round.held.retain(|it| it.no != *matter);
                    if round.stage == Stage::Held {
                        round.drawn.iter_mut().for_each(|dealt| dealt.correctable = false);
                    }
                    round.choice |= *choice && round.stage == Stage::Held;
                    if *choice {
                        round.rights = round.wagers.iter().map(|(key, it)| (key.clone(), it.stake)).collect();
                    }
                }
            }
            Event::CardMisread { at, card } => self.misread(*at, *card),
            Event::CardsOrdered { order, carried } => match &mut self.round {
                Some(round) => {
                    round.order = order.iter().chain(carried).copied().collect();
                    round.lay_in_order();
                }
                None => {
                    self.carried = carried.clone();
                    self.carried_ruled = false;
                }
            },
            Event::RoundVoided { round, returns, changes, .. } => {
                self.give_back(returns);
                self.books.compensate(self.kind.chips, *round, changes);
                match self.round.take() {
                    // What was not given back is gone from the felt: the books will show it.
                    Some(round) => self.books.felt -= round.total(),
                    None => {
                        if let Some(last) = self.last.take().filter(|last| last.settled) {
                            self.books.win(self.kind.chips, -i128::from(last.house));
                        }
                    }
                }
                self.drop_carried();
                let (no, lines, drawn, shoe) = (*round, Vec::new(), Vec::new(), self.shoes);
                self.last = Some(Last { no, settled: false, lines, house: 0, drawn, shoe });
                self.take_cards_back();
                self.matters.retain(|matter| matter.round != no || !matter.holds);
            }
            Event::ChoiceOffered { until, patrons, .. } => {
                if let Some(round) = &mut self.round {
                    (round.stage, round.until) = (Stage::Choosing, *until);
                    round.waiting = patrons.iter().copied().collect();
                    round.choice = false;
                }
            }
            Event::ChoiceMade { patron, returns, .. } => {
                self.give_back(returns);
                if let Some(round) = &mut self.round {
                    round.waiting.remove(patron);
                    round.rights.retain(|key, _| key.patron != *patron);
                }
            }
            Event::PlayResumed { closes_at } => {
                if let Some(round) = &mut self.round {
                    let open = round.bets_open;
                    round.closes_at = closes_at.unwrap_or(round.closes_at);
                    round.stage = if open { Stage::Betting } else { Stage::Dealing };
                    (round.choice, round.waiting) = (false, Default::default());
                    if !open {
                        round.rights.clear();
                    }
                }
            }

            Event::TableInterrupted { .. } => {
                if let Some(round) = &mut self.round {
                    round.interrupted = true;
                }
            }
            Event::CardsConfirmed { cards, .. } => self.confirm_cards(cards),
            Event::InterruptionResolved { .. } => {
                if let Some(round) = &mut self.round {
                    round.interrupted = false;
                    // Whether the cards are complete is found again.
                    if matches!(round.stage, Stage::Unread | Stage::Confirming) {
                        round.stage = Stage::Dealing;
                    }
                }
            }

            Event::RoundSettled { round, result, lines, house } => {
                self.settle(*round, &result.cards, lines, *house);
            }
            Event::RoundCorrected { round, result, lines, house, changes, carried, .. } => {
                self.books.compensate(self.kind.chips, *round, changes);
                let Some(last) = &mut self.last else { return };
                let was = std::mem::replace(&mut last.house, *house);
                last.lines = lines.clone();
                let mut before = std::mem::replace(&mut last.drawn, result.cards.clone());
                let shoe = last.shoe;
                before.append(&mut self.carried);
                let after: Vec<Card> = result.cards.iter().chain(carried).copied().collect();
                self.exchange_cards(shoe, &before, &after);
                (self.carried, self.carried_ruled) = (carried.clone(), false);
                self.books.win(self.kind.chips, i128::from(*house) - i128::from(was));
            }
            Event::RoundAmended { round, lines, house, changes, .. } => {
                self.books.compensate(self.kind.chips, *round, changes);
                let Some(last) = &mut self.last else { return };
                let was = std::mem::replace(&mut last.house, *house);
                last.lines = lines.clone();
                self.books.win(self.kind.chips, i128::from(*house) - i128::from(was));
            }
            Event::Adjusted { round, changes, .. } => {
                self.books.compensate(self.kind.chips, *round, changes);
                let house = |it: &Change| {
                    amount(it.taken)
                        + amount(it.from_unclaimed)
                        + amount(it.from_held)
                        + amount(it.uncollected)
                        - amount(it.paid)
                        - amount(it.cancelled)
                };
                self.books.win(self.kind.chips, changes.iter().map(house).sum());
            }

            Event::PushRecorded { patron, payout, counted, .. } => {
                let over = (amount(*counted) - amount(*payout)).max(0);
                self.books.given += over;
                self.books.change(*patron, |account| account.owed += over);
                self.books.move_float(-over);
            }

            Event::CreditsBought { patron, amount: more, .. }
            | Event::TicketRedeemed { patron, amount: more, .. } => {
                self.books.received += amount(*more);
                self.books.change(*patron, |account| {
                    account.credits += amount(*more);
                    account.away = false;
                });
            }
            Event::NoteAccepted { patron, amount: note, .. } => {
                self.acceptors.learn(event);
                self.books.received += amount(*note);
                self.books.change(*patron, |account| {
                    account.credits += amount(*note);
                    account.away = false;
                });
            }
            Event::CaseSettled { patron, outcome, .. } => {
                self.acceptors.learn(event);
                if let CaseOutcome::Credited { amount: note } = outcome {
                    self.books.received += amount(*note);
                    self.books.change(*patron, |account| {
                        account.credits += amount(*note);
                        account.away = false;
                    });
                } else if let CaseOutcome::Paid { amount: note } = outcome {
                    self.books.received += amount(*note);
                    self.books.given += amount(*note);
                }
            }
            Event::CaseOpened { .. } | Event::AcceptorEmptied { .. } | Event::AcceptorCounted { .. } => {
                self.acceptors.learn(event);
            }
            Event::CashOutHeld { patron, slip, amount: held, .. } => {
                self.slip_no = *slip;
                self.books.change(*patron, |account| {
                    account.credits -= amount(*held);
                    account.unclaimed += amount(*held);
                });
            }
            Event::PayoutHoldOrdered { slip, patron, round, .. } => {
                self.slip_no = *slip;
                self.books.order_hold(*slip, *patron, *round);
            }
            Event::PayoutHeld { slip, patron, amount, from_unclaimed, .. } => {
                self.books.hold(self.kind.chips, *slip, *patron, (*amount, *from_unclaimed));
            }
            Event::HeldDecided { slip, patron, amount, outcome, .. } => {
                self.books.decide_held(*slip, *patron, *amount, *outcome);
            }
            Event::HoldExtended { matter, until, .. } => {
                let extended = self.matters.iter_mut().filter(|it| it.no == *matter);
                extended.for_each(|it| it.money_until = Some(*until));
            }
            Event::CashedOut { patron, amount: out, .. } => {
                self.books.given += amount(*out);
                self.books.change(*patron, |account| {
                    account.credits -= amount(*out);
                    account.away = false;
                });
            }
            Event::Collected { patron, amount: paid, .. } => {
                let chips = self.kind.chips;
                self.books.change(*patron, |account| {
                    account.owed -= amount(*paid);
                    account.credits -= if chips { 0 } else { amount(*paid) };
                });
                if chips {
                    self.books.received += amount(*paid);
                    self.books.move_float(amount(*paid));
                }
            }
            Event::SeatTaken { patron, box_no } => {
                self.seats.insert(*box_no, *patron);
            }
            Event::SeatLeft { box_no, .. } => {
                self.seats.remove(box_no);
            }
            Event::WalkedAway { patron, .. } => self.books.change(*patron, |account| account.away = true),
            Event::UnclaimedKept { patron, amount: kept, slip, by, attendant, .. } => {
                if let (Some(slip), Some(by), Some(attendant)) = (slip, by, attendant) {
                    self.slip_no = *slip;
                    self.set_aside.insert(*slip, (*patron, [by.clone(), attendant.clone()]));
                }
                let chips = self.kind.chips;
                self.books.change(*patron, |account| {
                    account.unclaimed += amount(*kept);
                    if !chips {
                        account.credits -= amount(*kept);
                        account.away = false;
                    }
                });
                if chips {
                    // It had been counted as handed back.
                    self.books.given -= amount(*kept);
                }
            }
            Event::SetAsideReviewed { slip, .. } => {
                self.set_aside.remove(slip);
            }
            Event::UnclaimedPaid { patron, amount: paid } => {
                self.books.given += amount(*paid);
                self.books.change(*patron, |account| account.unclaimed -= amount(*paid));
            }

            Event::FloatOpened { amount: chips } => self.books.float = Some(amount(*chips)),
            Event::FloatCovered { .. } => self.float_covered = true,
            Event::FloatUncovered { .. } => self.float_covered = false,
            Event::FloatClosed { .. } => self.books.float = None,
            Event::Filled { amount: chips, .. } => self.books.move_float(amount(*chips)),
            Event::Credited { amount: chips, .. } | Event::Dropped { amount: chips } => {
                self.books.move_float(-amount(*chips));
            }

            Event::TerminalLost { patron, .. } => self.books.change(*patron, |it| it.lost = true),
            Event::TerminalRestored { patron } => self.books.change(*patron, |it| it.lost = false),
            Event::DisputeOpened { dispute, .. } => self.dispute_no = *dispute,
            Event::DisputeBundled { .. } | Event::DisputeSeen { .. } | Event::DisputeClosed { .. } => {}
            Event::PostTaken { person, post } => {
                self.posts.insert(person.clone(), *post);
            }
            Event::PostLeft { person, .. } => {
                self.posts.remove(person);
            }
            Event::ShiftStarted { .. } | Event::ClockJumped { .. } => {}
        }
    }
}
