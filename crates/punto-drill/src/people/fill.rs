//! Orders with values that fit the table as it is, most of the time.

use std::sync::Arc;

use punto_record::{
    BoxNo, CaseNo, CaseOutcome, CaseReport, Choice, Command, CommandKind as Kind, Digest, DisputeAbout,
    DisputeNo, DropNo, HeldOutcome, MoneyKind, Person, Seen, Settings, ShiftName, ShoeNo, SlipNo, Source,
    TicketNo, Timestamp,
};
use punto_rules::{
    BetId, BoxLimits, Card, Composition, IrregularityKind, Money, PatronNo, Post, Range, Side, Stance,
};
use punto_table::{Account, Round, Stage, Standing, Table, WagerKey};

use super::report::CAUSES;
use crate::Counters;
use crate::dice::Dice;
use crate::floor::{PATRONS, Station};

/// A table as somebody sees it who is about to do something.
pub(crate) struct Scene<'a> {
    pub(crate) dice: &'a mut Dice,
    pub(crate) table: &'a Table,
    pub(crate) station: &'a mut Station,
    /// Tickets in people's pockets.
    pub(crate) pockets: &'a [TicketNo],
    /// Tickets that were used.
    pub(crate) spent: &'a [TicketNo],
    pub(crate) counters: &'a mut Counters,
    /// Whose terminal it is, if it is one.
    pub(crate) speaker: Option<PatronNo>,
}

pub(crate) fn money(minor_units: u64) -> Money {
    Money::new(minor_units).expect("an amount")
}

impl Scene<'_> {
    pub(crate) fn round(&self) -> Option<&Round> {
        self.table.state().round()
    }

    pub(crate) fn amount(&mut self) -> Money {
        match self.dice.below(200) {
            0 => money(self.dice.pick(&[Money::MAX.get(), 1 << 52, 1 << 48])),
            1..10 => money(self.dice.pick(&[0, 1, 20, 30, 50, 90, 150, 1010, 1500])),
            _ => money(100 * (1 + self.dice.below(10)) as u64),
        }
    }

    pub(crate) fn patron(&mut self) -> PatronNo {
        PatronNo(1 + self.dice.below(PATRONS as usize) as u32)
    }

    fn waiting_patron(&mut self) -> PatronNo {
        if let Some(Stage::Choosing { waiting, .. }) = self.round().map(|round| &round.stage)
            && !waiting.is_empty()
        {
            let waiting: Vec<PatronNo> = waiting.iter().copied().collect();
            return self.dice.pick(&waiting);
        }
        self.patron()
    }

    /// Somebody with an account of which this holds, else anybody.
    fn patron_with(&mut self, of: impl Fn(&Account) -> bool) -> PatronNo {
        let accounts = &self.table.state().accounts;
        let some: Vec<PatronNo> =
            accounts.iter().filter(|(_, account)| of(account)).map(|(no, _)| *no).collect();
        if some.is_empty() || self.dice.chance(5) { self.patron() } else { self.dice.pick(&some) }
    }

    fn reason(&mut self) -> Arc<str> {
        if self.dice.chance(1) { " ".into() } else { "seen on the camera".into() }
    }

    fn person(&mut self) -> Person {
        self.dice.pick(&["p-1", "p-2", "p-3", "p-4"]).into()
    }

    /// Who agrees to settings; now and then nobody is asked.
    fn agrees(&mut self) -> Option<Person> {
        (!self.dice.chance(5)).then(|| "p-4".into())
    }

    fn commitment(&mut self) -> Option<Digest> {
        let decks = self.table.law().map_or(8, |law| law.settings.decks);
        let seed = self.dice.bytes();
        self.is_software().then(|| self.station.felt.commit(decks, seed))
    }

    pub(crate) fn bet(&mut self) -> BetId {
        let Some(law) = self.table.law() else { return "banker".into() };
        let bets: Vec<BetId> = law.terms.bets().iter().map(|bet| bet.id.clone()).collect();
        match self.dice.below(200) {
            0 => "under-seven".into(),
            1..100 => self.dice.pick(&["player", "banker"]).into(),
            _ => self.dice.pick(&bets),
        }
    }

    fn box_no(&mut self) -> BoxNo {
        BoxNo(if self.dice.chance(1) { self.dice.pick(&[0, 10, 255]) } else { 1 + self.dice.below(3) as u8 })
    }

    /// What a bet claims. Where one sits says it better.
    fn stance(&mut self) -> Option<Stance> {
        let claims = self.dice.chance(10);
        claims.then(|| self.dice.pick(&[Stance::Seated, Stance::Standing]))
    }

    pub(crate) fn boxed(&mut self) -> (Option<BoxNo>, Option<Stance>) {
        let boxes = self.table.law().is_some_and(|law| law.settings.boxes.is_some());
        if boxes != self.dice.chance(1) { (Some(self.box_no()), self.stance()) } else { (None, None) }
    }

    pub(crate) fn stake(&mut self, bet: &BetId) -> Money {
        match (bet.as_str(), self.dice.below(20)) {
            ("player" | "banker", _) | (_, 0) => self.amount(),
            (_, _) => money(self.dice.pick(&[20, 40, 60, 100, 200, 500, 520])),
        }
    }

    fn squeeze(&mut self) -> u8 {
        let next = self.round().map_or(1, |round| round.drawn.len() as u8 + 1);
        if self.dice.chance(90) { next } else { self.dice.below(9) as u8 }
    }

    fn retired(&mut self, of: impl Fn(&punto_table::RetiredShoe) -> bool) -> ShoeNo {
        let retired = &self.table.state().retired;
        let retired: Vec<ShoeNo> = retired.iter().filter(|shoe| of(shoe)).map(|it| it.no).collect();
        if retired.is_empty() { ShoeNo(0) } else { self.dice.pick(&retired) }
    }

    fn left(&mut self, no: ShoeNo) -> Composition {
        let mut left = Composition::EMPTY;
        let Some(shoe) = self.table.state().retired.iter().find(|it| it.no == no) else { return left };
        let decks = shoe.cards / Card::KINDS as u16;
        Card::all().for_each(|card| left.set(card, decks.saturating_sub(shoe.dealt.copies(card))));
        if self.dice.chance(10) {
            left.add(Card::from_index(self.dice.below(Card::KINDS)));
        }
        left
    }

    fn settings(&mut self) -> (Box<Settings>, Arc<str>) {
        (Box::new(self.station.settings(self.dice)), self.station.text.clone())
    }

    /// The next card of the shoe as the reader sees it.
    fn read(&mut self) -> Seen {
        if self.is_software() {
            return self.committed(1).first().map_or(Seen::Unreadable, |card| Seen::Card(*card));
        }
        if self.dice.rarely(3) {
            return Seen::Foreign("joker".into());
        }
        let card = self.station.felt.take(1).first().copied();
        if self.dice.rarely(12) {
            return Seen::Unreadable;
        }
        let card = card.unwrap_or_else(|| Card::from_index(self.dice.below(Card::KINDS)));
        if self.dice.rarely(12) {
            self.counters.cards_misread += 1;
            return Seen::Card(Card::from_index(self.dice.below(Card::KINDS)));
        }
        Seen::Card(card)
    }

    /// What was keyed wrongly, as it lies; or, where nothing was, a card that somebody takes for another.
    fn correct_card(&mut self) -> Command {
        let recorded: Vec<Option<Card>> = self
            .round()
            .map_or_else(Vec::new, |round| round.drawn.iter().map(|dealt| dealt.seen.card()).collect());
        let felt = &self.station.felt;
        let wrong =
            (0..recorded.len()).rev().find(|at| felt.truth(*at).is_some_and(|it| recorded[*at] != Some(it)));
        let at = wrong.unwrap_or(recorded.len().saturating_sub(1));
        let some = Card::from_index(self.dice.below(Card::KINDS));
        let was = recorded.get(at).copied().flatten().unwrap_or(some);
        let card = self.station.felt.truth(at).filter(|_| wrong.is_some()).unwrap_or(some);
        Command::CorrectCard { at: at as u16 + 1, was, card }
    }

    fn dispute(&mut self) -> DisputeNo {
        let open: Vec<DisputeNo> = self.table.state().disputes.keys().copied().collect();
        if open.is_empty() { DisputeNo(99) } else { self.dice.pick(&open) }
    }

    /// Tells somebody that a bet is outside its limits: whichever is shown so, else any.
    fn advise(&mut self) -> Command {
        let minimum = self.table.law().and_then(|law| law.terms.box_limits()).map(|it| it.minimum);
        let standing: Vec<_> = self.round().map_or_else(Vec::new, |round| {
            let small = |it: &Standing| it.side.is_none() || minimum.is_some_and(|least| it.stake < least);
            round.wagers.iter().filter(|(_, it)| small(it)).map(|(key, _)| key.clone()).collect()
        });
        let other = WagerKey { patron: self.patron(), box_no: None, bet: self.bet() };
        let key = if standing.is_empty() { other } else { self.dice.pick(&standing) };
        let box_no = key.box_no.unwrap_or_else(|| self.box_no());
        Command::Advise { patron: key.patron, box_no, bet: key.bet }
    }

    fn withdraw(&mut self) -> Command {
        let standing: Vec<_> = self.round().map_or_else(Vec::new, |round| {
            let own =
                |(key, _): &(&WagerKey, &Standing)| self.speaker.is_none_or(|speaker| key.patron == speaker);
            round.wagers.iter().filter(own).map(|(key, it)| (key.clone(), it.stake)).collect()
        });
        if standing.is_empty() {
            let (box_no, _) = self.boxed();
            return Command::WithdrawWager { patron: self.patron(), box_no, bet: self.bet(), amount: None };
        }
        let (key, stake) = self.dice.pick(&standing);
        let amount = match self.dice.below(4) {
            0 | 1 => None,
            2 => Some(stake.less(money(100))),
            _ => Some(self.amount()),
        };
        Command::WithdrawWager { patron: key.patron, box_no: key.box_no, bet: key.bet, amount }
    }

    /// A ticket from somebody's pocket.
    fn ticket(&mut self) -> TicketNo {
        let from = if self.dice.chance(10) { self.spent } else { self.pockets };
        if from.is_empty() { TicketNo::from_drawn(self.dice.number()) } else { self.dice.pick(from) }
    }

    /// Other limits than those in force.
    fn limits(&mut self) -> Command {
        let live = self.table.law().is_some_and(|law| !law.is_electronic());
        let minimum = money(self.dice.between(1, 3) * 100);
        let differential = money(self.dice.between(10, 30) * 100);
        Command::ChangeLimits {
            betting_box: live.then_some(BoxLimits { minimum, differential }),
            bets: Default::default(),
            other_bets: (!live).then_some(Range { minimum, maximum: differential }),
        }
    }

    /// A command of this kind.
    pub(crate) fn command(&mut self, kind: Kind) -> Command {
        let shuffler: Option<Person> = (!self.dice.chance(2)).then(|| "shuffler-2".into());
        match kind {
            Kind::OpenTable => {
                let (settings, rulebook) = self.settings();
                Command::OpenTable { settings, rulebook, second: self.agrees() }
            }
            Kind::ChangeSettings => {
                let (settings, rulebook) = self.settings();
                Command::ChangeSettings { settings, rulebook, second: self.agrees() }
            }
            Kind::ChangeLimits => self.limits(),
            Kind::AnnounceClosing => Command::AnnounceClosing {},
            Kind::CloseTable => Command::CloseTable {},
            Kind::LoadShoe => {
                let commitment = self.commitment();
                Command::LoadShoe { card_set: "blue-1".into(), shuffled_by: shuffler, commitment }
            }
            Kind::InspectCards => Command::InspectCards { missing: vec![], extra: vec![] },
            Kind::CutCards if self.is_software() => Command::CutCards { at: 0 },
            Kind::CutCards => Command::CutCards { at: self.dice.pick(&[0, 14, 100, 207, 2000]) },
            Kind::BurnCards => {
                let top = match self.is_software() {
                    true => self.committed(1).first().copied(),
                    false => self.station.felt.top(),
                };
                let count = self.table.law().map_or(0, |law| law.burn(top));
                Command::BurnCards { shown: top, count }
            }
            Kind::RetireShoe => Command::RetireShoe { reason: self.reason() },
            Kind::ExchangeShoe => Command::ExchangeShoe {
                card_set: "red-1".into(),
                shuffled_by: shuffler,
                commitment: self.commitment(),
                reason: self.reason(),
            },
            Kind::ReconcileShoe => {
                let shoe = self.retired(|shoe| !shoe.reconciled);
                let left = Box::new(self.left(shoe));
                Command::ReconcileShoe { shoe, left, discarded: Box::new(Composition::EMPTY) }
            }
            Kind::RevealShoe => self.reveal(),
            Kind::RuleCarriedCards => {
                Command::RuleCarriedCards { keep: self.dice.chance(60), reason: self.reason() }
            }
            Kind::OpenBets => Command::OpenBets {},
            Kind::CloseBets => Command::CloseBets {},
            Kind::PlaceWager => {
                let bet = self.bet();
                let (box_no, stance) = self.boxed();
                Command::PlaceWager { patron: self.patron(), box_no, stance, stake: self.stake(&bet), bet }
            }
            Kind::WithdrawWager => self.withdraw(),
            Kind::RecordChips => {
                let bet = self.bet();
                let stake = if self.dice.chance(10) { Money::ZERO } else { self.stake(&bet) };
                let (patron, box_no, stance) = (self.patron(), self.box_no(), self.stance());
                Command::RecordChips { patron, box_no, stance, bet, stake }
            }
            Kind::RejectExcess => Command::RejectExcess { box_no: self.box_no() },
            Kind::Advise => self.advise(),
            Kind::AmendWager => {
                let bet = self.bet();
                let stake = self.stake(&bet);
                let (patron, box_no, stance) = (self.patron(), self.box_no(), self.stance());
                Command::AmendWager {
                    patron,
                    box_no,
                    stance,
                    bet,
                    stake,
                    reason: self.reason(),
                    surveillance: self.dice.chance(80).then(|| self.reason()),
                    second: Some("p-4".into()),
                    second_post: Some(Post::PitManager),
                }
            }
            Kind::AskSqueeze => {
                let originals = self.round().into_iter().flat_map(|round| round.wagers.iter());
                let originals = originals.filter(|(_, it)| it.side.is_some());
                let highest = originals.max_by_key(|(_, it)| it.stake).map(|(key, _)| key.patron);
                Command::AskSqueeze { patron: highest.unwrap_or(PatronNo(1)), card: self.squeeze() }
            }
            Kind::GrantSqueeze => {
                let asked = self.round().and_then(|round| round.squeezes.last().copied());
                let (patron, card) =
                    asked.map_or_else(|| (self.patron(), self.squeeze()), |it| (it.patron, it.card));
                Command::GrantSqueeze { patron, card, grant: self.dice.chance(70) }
            }
            Kind::DrawCard => {
                let card = self.read();
                let side = self.dice.pick(&[Side::Player, Side::Banker]);
                let source = self.dice.pick(&[Source::Read, Source::Keyed]);
                Command::DrawCard { card, source, to: self.dice.rarely(15).then_some(side) }
            }
            Kind::ReadCard => {
                let card = self.station.felt.unread();
                let card = card.unwrap_or_else(|| Card::from_index(self.dice.below(Card::KINDS)));
                Command::ReadCard { card: Seen::Card(card) }
            }
            Kind::CorrectCard => self.correct_card(),
            Kind::TurnCards => Command::TurnCards {
                cards: if self.dice.chance(85) { vec![] } else { vec![self.squeeze().into()] },
            },
            Kind::ConfirmCards => {
                let mut cards = self.station.felt.lying();
                if self.dice.chance(2) {
                    cards.truncate(1);
                }
                Command::ConfirmCards { cards, second: Some("p-1".into()) }
            }
            Kind::ConfirmResult => Command::ConfirmResult {},
            Kind::Report => Command::Report { report: self.report() },
            Kind::Rule => {
                let matter = self.matter_no();
                let second = self.dice.chance(70).then(|| self.person());
                let together =
                    self.matter(matter).is_some_and(|it| it.kind == IrregularityKind::SimultaneousDraw);
                Command::Rule {
                    matter,
                    ruling: self.ruling(matter),
                    replace_shoe: together && self.dice.chance(40),
                    reason: self.reason(),
                    second_post: second.as_ref().and_then(|it| super::somebody::post_of(it.as_str())),
                    second,
                    departs: self.dice.rarely(20).then_some(25),
                }
            }
            Kind::Choose => Command::Choose {
                patron: self.waiting_patron(),
                choice: self.dice.pick(&[Choice::Continue, Choice::TakeBack]),
            },
            Kind::CloseChoices => Command::CloseChoices {},
            Kind::BuyCredits => {
                let amount =
                    if self.dice.chance(95) { money(self.dice.between(5, 60) * 100) } else { self.amount() };
                Command::BuyCredits { patron: self.patron(), amount }
            }
            Kind::AcceptNote => Command::AcceptNote { patron: self.patron(), amount: self.amount() },
            Kind::ReportCase => {
                let patron = self.patron();
                let acceptor = format!("acceptor-{}", patron.0).parse().expect("a name");
                let amount = self.dice.chance(70).then(|| self.amount());
                let report = match self.dice.chance(70) {
                    true => CaseReport::NoteNotCredited { acceptor, amount, words: self.reason() },
                    false => CaseReport::TicketNotTaken { ticket: "t-1".into() },
                };
                Command::ReportCase { patron, report }
            }
            Kind::SettleCase => {
                let first = self.table.state().cases.keys().next().copied();
                let amount = self.amount();
                let outcomes = [
                    CaseOutcome::Credited { amount },
                    CaseOutcome::Paid { amount },
                    CaseOutcome::HandedOver {},
                    CaseOutcome::Nothing {},
                ];
                Command::SettleCase {
                    case: first.unwrap_or(CaseNo(99)),
                    outcome: self.dice.pick(&outcomes),
                    reason: self.reason(),
                    second: self.dice.chance(90).then(|| self.person()),
                }
            }
            Kind::EmptyAcceptor => {
                let first = self.table.state().acceptors.keys().next().cloned();
                let acceptor = first.unwrap_or_else(|| "acceptor-99".into());
                Command::EmptyAcceptor { acceptor, second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::CountAcceptor => {
                let first = self.table.state().drops.iter().next().map(|(drop, it)| (*drop, it.expected));
                let (drop, expected) = first.unwrap_or((DropNo(99), Money::ZERO));
                let counted = if self.dice.chance(70) { expected } else { self.amount() };
                Command::CountAcceptor { drop, counted, second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::RedeemTicket => Command::RedeemTicket { patron: self.patron(), ticket: self.ticket() },
            Kind::CashOut => {
                let patron = self.patron_with(|it| !it.credits.is_zero());
                Command::CashOut { patron, second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::Collect => {
                let patron = self.patron_with(|it| !it.owed.is_zero());
                let account = self.table.state().account(patron).cloned().unwrap_or_default();
                let chips = self.station.kind == crate::floor::Kind::Chips;
                let most = if chips { account.owed } else { account.owed.min(account.credits) };
                Command::Collect { patron, amount: most, second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::RecordPush => self.push(),
            Kind::HoldPayout => {
                let state = self.table.state();
                let in_play = state.round().into_iter().flat_map(|it| it.wagers.iter());
                let last = state.last().into_iter().flat_map(|last| last.lines.iter().map(|it| it.patron));
                let own: Vec<PatronNo> = in_play.map(|(key, _)| key.patron).chain(last).collect();
                let patron = if own.is_empty() { self.patron() } else { self.dice.pick(&own) };
                Command::HoldPayout { patron, reference: self.reason() }
            }
            Kind::DecideHeld => {
                let held: Vec<SlipNo> = self.table.state().held_payouts.keys().copied().collect();
                let slip = if held.is_empty() { SlipNo(99) } else { self.dice.pick(&held) };
                let outcome = self.dice.pick(&[HeldOutcome::Released, HeldOutcome::Forfeited]);
                let second = self.dice.chance(90).then(|| self.person());
                Command::DecideHeld { slip, outcome, reference: self.reason(), second, second_post: None }
            }
            Kind::ExtendHold => Command::ExtendHold { matter: self.matter_no(), reason: self.reason() },
            Kind::KeepUnclaimed => {
                let patron = self.patron_with(|it| !it.credits.is_zero());
                let attendant = self.dice.chance(90).then(|| self.person());
                Command::KeepUnclaimed { patron, attendant }
            }
            Kind::ReviewSetAside => {
                let last = self.table.state().set_aside.keys().next_back().copied();
                Command::ReviewSetAside { slip: last.unwrap_or(SlipNo(99)), reason: self.reason() }
            }
            Kind::PayUnclaimed => {
                let patron = self.patron_with(|it| it.unclaimed > 0);
                let there = self.table.state().account(patron).map_or(0, |it| it.unclaimed);
                let amount = u64::try_from(there).ok().and_then(Money::new).unwrap_or(Money::MAX);
                Command::PayUnclaimed { patron, amount, second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::OpenFloat => Command::OpenFloat {
                amount: money(1_000_000),
                second: self.dice.chance(90).then(|| self.person()),
            },
            Kind::CloseFloat => {
                let expected = self.table.state().float.unwrap_or(0);
                let counted = u64::try_from(expected).ok().and_then(Money::new).unwrap_or(Money::ZERO);
                Command::CloseFloat { counted, second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::Fill => {
                let (amount, slip) = (self.amount(), "f-1".into());
                Command::Fill { amount, slip, second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::Credit => {
                let (amount, slip) = (self.amount(), "c-1".into());
                Command::Credit { amount, slip, second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::Drop => {
                Command::Drop { amount: self.amount(), second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::HandCards => Command::HandCards {
                side: self.dice.pick(&[Side::Player, Side::Banker]),
                patron: self.patron(),
            },
            Kind::CoverFloat => Command::CoverFloat { cause: self.dice.pick(&CAUSES) },
            Kind::UncoverFloat => {
                let second = self.dice.chance(90).then(|| "p-1".into());
                Command::UncoverFloat { second }
            }
            Kind::TakeSeat => {
                let chips = self.table.law().is_some_and(|law| law.settings.money == MoneyKind::Chips);
                let known = !chips || self.dice.chance(70);
                let patron = known.then(|| self.patron());
                Command::TakeSeat { patron, box_no: self.box_no() }
            }
            Kind::LeaveSeat => Command::LeaveSeat { box_no: self.box_no() },
            Kind::LoseTerminal => Command::LoseTerminal { patron: self.patron() },
            Kind::RestoreTerminal => Command::RestoreTerminal { patron: self.patron_with(|it| it.lost) },
            Kind::OpenDispute => {
                let state = self.table.state();
                let last = state.last().into_iter().flat_map(|last| last.lines.iter().map(|it| it.patron));
                let own: Vec<PatronNo> = last.collect();
                let last = self.table.state().rounds;
                let (round, patron) = match own.is_empty() || self.dice.chance(30) {
                    true => (self.round_no(), self.patron()),
                    false => (last, self.dice.pick(&own)),
                };
                Command::OpenDispute {
                    round: Some(round),
                    patron: Some(patron),
                    words: self.reason(),
                    about: self.dice.chance(60).then(|| self.dice.pick(&DisputeAbout::ALL)),
                    box_no: None,
                }
            }
            Kind::BundleDispute => {
                Command::BundleDispute { dispute: self.dispute(), digest: Digest([7; 32]) }
            }
            Kind::SeeDispute => {
                let surveillance = self.dice.chance(30).then(|| self.reason());
                Command::SeeDispute { dispute: self.dispute(), surveillance }
            }
            Kind::CloseDispute => {
                Command::CloseDispute { dispute: self.dispute(), words: self.reason(), matter: None }
            }
            Kind::TakePost => Command::TakePost { person: self.person(), post: Post::Dealer },
            Kind::LeavePost => Command::LeavePost { person: self.person(), post: Post::Dealer },
            Kind::StartShift => Command::StartShift { name: ShiftName::as_recorded(self.reason()) },
            Kind::NoteClock => Command::NoteClock { from: Timestamp(1), to: Timestamp(2) },
        }
    }

    /// What was pushed to somebody in the Round just over.
    fn push(&mut self) -> Command {
        let state = self.table.state();
        let over = state.earlier.get(state.rounds);
        let paid: Vec<_> = over.map_or_else(Vec::new, |over| over.paid.clone().into_iter().collect());
        let (patron, payout) =
            if paid.is_empty() { (self.patron(), Money::ZERO) } else { self.dice.pick(&paid) };
        let counted = if self.dice.chance(50) { payout.less(self.amount()) } else { self.amount() };
        Command::RecordPush {
            round: state.rounds,
            patron,
            counted,
            surveillance: self.reason(),
            second: None,
            second_post: None,
        }
    }

    fn reveal(&mut self) -> Command {
        let shoe = self.retired(|shoe| shoe.commitment.is_some());
        let retired = self.table.state().retired.iter().find(|it| it.no == shoe);
        let secret = retired.and_then(|it| self.station.felt.secret(it.commitment.as_ref()?));
        let (salt, cards) = secret.cloned().unwrap_or_else(|| ("".into(), Vec::new()));
        Command::RevealShoe { shoe, salt, cards }
    }
}

/// A patron orders for themselves.
#[allow(clippy::wildcard_enum_match_arm, reason = "only these are for patrons to order")]
pub(crate) fn speak_for(command: &mut Command, speaker: PatronNo) {
    match command {
        Command::PlaceWager { patron, .. }
        | Command::WithdrawWager { patron, .. }
        | Command::AskSqueeze { patron, .. }
        | Command::Choose { patron, .. }
        | Command::RedeemTicket { patron, .. }
        | Command::CashOut { patron, .. } => *patron = speaker,
        Command::OpenDispute { patron, .. } => *patron = Some(speaker),
        _ => {}
    }
}
