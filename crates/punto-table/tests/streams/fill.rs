//! Orders with values that fit the table as it is, most of the time.

use std::sync::Arc;

use punto_record::{
    Adjustment, BoxNo, CaseNo, CaseOutcome, CaseReport, Cause, Choice, Command, CommandKind as Kind, Digest,
    DisputeAbout, DisputeNo, DropNo, HeldOutcome, MatterNo, MoneyKind, Owed, Person, Report, RoundNo, Ruling,
    Seen, Settings, ShiftName, ShoeNo, SlipNo, Source, Timestamp, commitment,
};
use punto_rules::{
    BetId, BoxLimits, BySide, Card, Composition, IrregularityKind, Money, PatronNo, Post, Range, Side,
    Stance, Step, reconstruct,
};
use punto_table::{Matter, Round, Stage, State, Table};

use super::dice::Dice;
use super::floor;

/// What people say was the cause. That the order of a shoe is lost, only the house can say.
const CAUSES: [Cause; 7] = [
    Cause::Power,
    Cause::Software,
    Cause::Device,
    Cause::Fire,
    Cause::MedicalEmergency,
    Cause::Evacuation,
    Cause::Other,
];

const PATRONS: u32 = 6;
const SALT: &str = "grain";

pub(crate) struct Fill<'a> {
    pub(crate) dice: &'a mut Dice,
    pub(crate) table: &'a Table,
    pub(crate) books: &'a [(String, Arc<str>)],
}

/// The post of a person whom others may name.
fn post_of(person: &str) -> Option<Post> {
    match person {
        "p-1" => Some(Post::Dealer),
        "p-2" => Some(Post::PitSupervisor),
        "p-4" => Some(Post::PitManager),
        _ => None,
    }
}

impl Fill<'_> {
    fn state(&self) -> &State {
        self.table.state()
    }

    fn round(&self) -> Option<&Round> {
        self.state().round()
    }

    fn money(minor_units: u64) -> Money {
        Money::new(minor_units).expect("an amount")
    }

    pub(crate) fn amount(&mut self) -> Money {
        let huge = [Money::MAX.get(), Money::MAX.get() - 1, 1 << 52, 1 << 48, (1 << 48) + 1];
        let units = 100 * (1 + self.dice.below(8)) as u64;
        let odd = [0, 1, 20, 30, 40, 50, 90, 150, 1010, 1500];
        match self.dice.below(100) {
            0..2 => Self::money(self.dice.pick(&huge)),
            2..12 => Self::money(self.dice.pick(&odd)),
            _ => Self::money(units),
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
    fn patron_with(&mut self, of: impl Fn(&punto_table::Account) -> bool) -> PatronNo {
        let state = self.table.state();
        let some: Vec<PatronNo> =
            state.accounts.iter().filter(|(_, account)| of(account)).map(|(no, _)| *no).collect();
        if some.is_empty() || self.dice.chance(15) { self.patron() } else { self.dice.pick(&some) }
    }

    fn card(&mut self) -> Card {
        let decks = self.table.law().map_or(8, |law| law.settings.decks);
        let any = Card::from_index(self.dice.below(Card::KINDS));
        if let Some(card) = self.committed_card() {
            return card;
        }
        let fits = |card: Card| {
            self.table.state().shoe.as_ref().is_none_or(|shoe| shoe.dealt.copies(card) < decks.into())
        };
        if fits(any) || self.dice.chance(3) {
            return any;
        }
        Card::all().find(|card| fits(*card)).unwrap_or(any)
    }

    fn cards(&mut self, from: usize, to: usize) -> Vec<Card> {
        let count = from + self.dice.below(to - from + 1);
        (0..count).map(|_| self.card()).collect()
    }

    /// Cards of a whole Round.
    fn complete(&mut self) -> Vec<Card> {
        let mut cards = Vec::new();
        while let Step::Draw(_) = reconstruct(&cards).0.step() {
            cards.push(self.card());
        }
        cards
    }

    fn out(&self) -> Vec<Card> {
        self.round().map_or_else(Vec::new, |round| round.cards())
    }

    fn reason(&mut self) -> Arc<str> {
        if self.dice.chance(4) { " ".into() } else { "seen on the camera".into() }
    }

    fn person(&mut self) -> Person {
        self.dice.pick(&["p-1", "p-2", "p-3", "p-4"]).into()
    }

    fn some<T>(&mut self, percent: usize, it: T) -> Option<T> {
        self.dice.chance(percent).then_some(it)
    }

    /// The order that software commits itself to.
    fn committed(decks: u8) -> Vec<Card> {
        let mut cards: Vec<Card> = (0..decks).flat_map(|_| Card::all()).collect();
        Dice::new(decks.into()).shuffle(&mut cards);
        cards
    }

    /// The card that a software shoe has next.
    fn committed_card(&self) -> Option<Card> {
        let (law, shoe) = (self.table.law()?, self.state().shoe.as_ref()?);
        let at = usize::from(shoe.burnt + shoe.drawn);
        let software = law.settings.cards == punto_record::Cards::Software;
        software.then(|| Self::committed(law.settings.decks).get(at).copied()).flatten()
    }

    fn commitment(&mut self) -> Option<Digest> {
        let software =
            self.table.law().is_some_and(|law| law.settings.cards == punto_record::Cards::Software);
        let percent = if software { 97 } else { 3 };
        let decks = self.table.law().map_or(8, |law| law.settings.decks);
        self.some(percent, commitment(SALT.as_bytes(), &Self::committed(decks)))
    }

    fn bet(&mut self) -> BetId {
        let Some(law) = self.table.law() else { return "banker".into() };
        let bets: Vec<BetId> = law.terms.bets().iter().map(|bet| bet.id.clone()).collect();
        match self.dice.below(100) {
            0..2 => "under-seven".into(),
            2..45 => self.dice.pick(&["player", "banker"]).into(),
            _ => self.dice.pick(&bets),
        }
    }

    fn box_no(&mut self) -> BoxNo {
        BoxNo(if self.dice.chance(3) { self.dice.pick(&[0, 10, 255]) } else { 1 + self.dice.below(3) as u8 })
    }

    /// What a bet claims. Where one sits says it better.
    fn stance(&mut self) -> Option<Stance> {
        let claims = self.dice.chance(10);
        claims.then(|| self.dice.pick(&[Stance::Seated, Stance::Standing]))
    }

    fn boxed(&mut self) -> (Option<BoxNo>, Option<Stance>) {
        let boxes = self.table.law().is_some_and(|law| law.settings.boxes.is_some());
        let usual = self.dice.chance(96);
        if boxes == usual {
            (Some(self.box_no()), self.stance())
        } else {
            (self.dice.chance(10).then_some(BoxNo(1)), None)
        }
    }

    fn stake(&mut self, bet: &BetId) -> Money {
        match (bet.as_str(), self.dice.below(10)) {
            ("player" | "banker", _) | (_, 0..2) => self.amount(),
            _ => Self::money(self.dice.pick(&[20, 40, 60, 100, 200, 500, 520])),
        }
    }

    fn squeeze(&mut self) -> u8 {
        let next = self.round().map_or(1, |round| round.drawn.len() as u8 + 1);
        if self.dice.chance(80) { next } else { self.dice.below(9) as u8 }
    }

    fn round_no(&mut self) -> RoundNo {
        let RoundNo(last) = self.state().rounds;
        RoundNo(match self.dice.below(10) {
            0..5 => last,
            5..8 => last.saturating_sub(1),
            8 => last + 1,
            _ => self.dice.below(5) as u32,
        })
    }

    fn hands(&mut self) -> BySide<Vec<Card>> {
        let mut out = if self.dice.chance(5) { self.cards(1, 5) } else { self.out() };
        if self.dice.chance(20) {
            self.dice.shuffle(&mut out);
        }
        let mut hands = BySide { player: Vec::new(), banker: Vec::new() };
        let swap = self.dice.chance(30);
        for (i, card) in out.into_iter().enumerate() {
            let side = if (i % 2 == 0) == swap { Side::Banker } else { Side::Player };
            let side = if self.dice.chance(15) { side.other() } else { side };
            match side {
                Side::Player => hands.player.push(card),
                Side::Banker => hands.banker.push(card),
            }
        }
        hands
    }

    /// New cards, or two of those that lie there.
    fn together(&mut self) -> Report {
        let order_known = self.dice.chance(50);
        match self.dice.chance(50) {
            true => {
                let first = self.dice.below(5) as u16;
                let places = if self.dice.chance(90) { vec![first, first + 1] } else { vec![first] };
                Report::SimultaneousDraw { cards: vec![], places, order_known }
            }
            false => Report::SimultaneousDraw { cards: self.cards(1, 3), places: vec![], order_known },
        }
    }

    /// Mostly every card has its place, as it must.
    fn wrong_number(&mut self) -> Report {
        let mut recorded = match self.round() {
            Some(_) => self.out(),
            None => {
                let state = self.state();
                let settled = state.last().map_or(&[][..], |last| &last.drawn);
                [settled, &state.carried].concat()
            }
        };
        let unread = if self.dice.chance(25) { self.cards(1, 2) } else { Vec::new() };
        recorded.extend(&unread);
        if self.dice.chance(5) {
            recorded.pop();
        }
        let (mut hands, mut neither) = (BySide { player: Vec::new(), banker: Vec::new() }, Vec::new());
        for (i, card) in recorded.into_iter().enumerate() {
            match self.dice.below(if i < 4 { 12 } else { 4 }) {
                0 => neither.push(card),
                1 => hands.player.push(card),
                2 => hands.banker.push(card),
                _ if i % 2 == 0 => hands.player.push(card),
                _ => hands.banker.push(card),
            }
        }
        Report::WrongNumberOfCards { hands, neither, unread }
    }

    pub(crate) fn report(&mut self) -> Report {
        let words: Arc<str> = "noticed".into();
        match self.dice.below(19) {
            0 => {
                Report::TechnicalInterruption { cause: self.dice.chance(50).then(|| self.dice.pick(&CAUSES)) }
            }
            1 => Report::ForeignCard { card: "joker".into() },
            2 => Report::ShortageOrExcess { missing: self.cards(0, 1), extra: vec![], shoe: None },
            3 | 4 => self.wrong_number(),
            5 => Report::ShoeExhausted { left: self.dice.pick(&[None, Some(0), Some(1), Some(3)]) },
            6 => Report::NotShuffled {},
            7 => {
                let (patron, bet, stake) = (self.patron(), self.bet(), self.amount());
                Report::LateBet { patron, box_no: Some(self.box_no()), bet, stake }
            }
            8 => Report::ExcessOrExposedCard { cards: self.cards(0, 2) },
            9 => Report::WrongSide { hands: self.hands() },
            10 => Report::FaceUp {
                cards: if self.dice.chance(70) { vec![] } else { vec![self.squeeze().into()] },
            },
            11 => self.together(),
            12 => Report::OtherDealingError { words },
            13 => Report::LateDiscovery { round: self.round_no(), words },
            14 => {
                let through = self.dice.chance(40).then(|| "p-3".into());
                Report::BetPlacedInError { patron: self.patron(), words, through }
            }
            15 | 16 => Report::WrongResult { round: self.round_no(), words },
            17 => Report::WalkAway { patron: self.patron() },
            _ => Report::Uncovered { words },
        }
    }

    fn matter(&self, no: MatterNo) -> Option<&Matter> {
        let held = self.round().map_or(&[][..], |round| round.matters());
        held.iter().chain(&self.state().matters).find(|matter| matter.no == no)
    }

    fn matter_no(&mut self) -> MatterNo {
        let held = self.round().map_or(&[][..], |round| round.matters());
        let open: Vec<MatterNo> = held.iter().chain(&self.state().matters).map(|matter| matter.no).collect();
        if open.is_empty() || self.dice.chance(2) {
            return MatterNo(self.dice.below(9) as u32);
        }
        self.dice.pick(&open)
    }

    /// Cards that open the next Round, those of this matter last.
    fn waiting(&self, no: MatterNo) -> Vec<Card> {
        let report = self.matter(no).map(|matter| &matter.report);
        let exposed = match report {
            Some(Report::ExcessOrExposedCard { cards } | Report::SimultaneousDraw { cards, .. }) => {
                &cards[..]
            }
            Some(_) | None => &[],
        };
        [&self.state().carried, exposed].concat()
    }

    /// The cards that are out, in an order in which the Hands lie as they do, if there is one.
    fn lying(&mut self) -> Vec<Card> {
        let Some(round) = self.round() else { return self.cards(0, 4) };
        let BySide { player, banker } = round.hands();
        let most = player.len().max(banker.len());
        (0..most).flat_map(|i| [player.get(i).copied(), banker.get(i).copied()]).flatten().collect()
    }

    fn ruling(&mut self, no: MatterNo) -> Ruling {
        let in_play = self.round().is_some();
        let out = self.out();
        if let Some(Report::CardsInDispute { read, confirmed, .. }) =
            self.matter(no).map(|it| it.report.clone()).filter(|_| self.dice.chance(90))
        {
            let of_the_set = read.iter().filter(|seen| !matches!(seen, Seen::Foreign(_)));
            let read = of_the_set.map(|seen| seen.card().unwrap_or_else(|| self.card())).collect();
            return Ruling::Correct { cards: self.dice.pick(&[read, confirmed]) };
        }
        use IrregularityKind as Of;
        let fits = match self.matter(no).map(|matter| matter.kind) {
            Some(Of::ForeignCard | Of::ShortageOrExcess | Of::NotShuffled | Of::ShoeExhausted) => {
                self.dice.below(2)
            }
            Some(Of::WrongNumberOfCards) if in_play => self.dice.pick(&[0, 2]),
            Some(Of::WrongNumberOfCards) => self.dice.pick(&[0, 2, 6, 7]),
            Some(Of::ExcessOrExposedCard | Of::WrongSide) if in_play => self.dice.pick(&[2, 2, 3, 0]),
            Some(Of::ExcessOrExposedCard) => self.dice.pick(&[2, 4]),
            Some(Of::WrongSide) => 6,
            Some(Of::SimultaneousDraw) => 4,
            Some(Of::OtherDealingError | Of::FaceUp) => self.dice.pick(&[5, 2, 3]),
            Some(Of::WrongResult) if in_play => self.dice.pick(&[5, 7]),
            Some(Of::WrongResult) => self.dice.pick(&[6, 7, 8]),
            Some(Of::Uncovered) if in_play => self.dice.pick(&[5, 0, 2, 4]),
            Some(
                Of::Uncovered
                | Of::OverDifferential
                | Of::UnderMinimum
                | Of::WalkAway
                | Of::TechnicalInterruption
                | Of::TerminalInterruption
                | Of::LateBet
                | Of::LateDiscovery
                | Of::BetPlacedInError,
            ) => self.dice.pick(&[6, 8]),
            None => self.dice.below(9),
        };
        let fits = if self.dice.chance(8) { self.dice.below(9) } else { fits };
        match fits {
            0 => Ruling::Void {},
            1 => {
                let card = self.card();
                Ruling::Misread { card: self.some(80, card) }
            }
            2 => Ruling::Reconstruct {},
            3 => Ruling::AsTheyLie { order: self.lying() },
            4 => {
                let waiting = self.waiting(no);
                let mut order = if in_play { out } else { waiting };
                if self.dice.chance(60) {
                    self.dice.shuffle(&mut order);
                }
                Ruling::InOrder { order }
            }
            5 => Ruling::Continue {},
            6 => Ruling::Stand {},
            7 if in_play => {
                Ruling::Correct { cards: if self.dice.chance(50) { out } else { self.complete() } }
            }
            7 => Ruling::Correct { cards: self.complete() },
            _ => {
                let round = self.dice.chance(20).then(|| self.round_no());
                let cards = if self.dice.chance(80) { self.complete() } else { Vec::new() };
                let typed = Adjustment { patron: self.patron(), owed: Owed::ToPatron, amount: self.amount() };
                let adjustments = if self.dice.chance(5) { vec![typed] } else { Vec::new() };
                Ruling::Adjust { adjustments, round, cards }
            }
        }
    }

    /// What was pushed to somebody with a wager in one of the last Rounds, more or less than was settled.
    fn push(&mut self) -> Command {
        let table = self.table;
        let known: Vec<RoundNo> = table.state().earlier.iter().map(|(round, _)| round).collect();
        let round = match known.last() {
            Some(last) if self.dice.chance(70) => *last,
            Some(_) => self.dice.pick(&known),
            None => RoundNo(1),
        };
        let over = table.state().earlier.get(round);
        let paid: Vec<_> = over.map_or_else(Vec::new, |over| over.paid.clone().into_iter().collect());
        let (patron, payout) =
            if paid.is_empty() { (self.patron(), Money::ZERO) } else { self.dice.pick(&paid) };
        let counted = if self.dice.chance(50) { payout.less(self.amount()) } else { self.amount() };
        Command::RecordPush {
            round,
            patron,
            counted,
            surveillance: self.reason(),
            second: self.dice.chance(60).then(|| "second".into()),
            second_post: self.dice.chance(60).then_some(Post::PitManager),
        }
    }

    fn retired(&mut self) -> ShoeNo {
        let retired: Vec<ShoeNo> = self.state().retired.iter().map(|it| it.no).collect();
        if retired.is_empty() { ShoeNo(1) } else { self.dice.pick(&retired) }
    }

    fn left(&mut self, no: ShoeNo) -> Composition {
        let Some(shoe) = self.state().retired.iter().find(|it| it.no == no) else {
            return Composition::EMPTY;
        };
        let decks = shoe.cards / Card::KINDS as u16;
        let mut left = Composition::EMPTY;
        Card::all().for_each(|card| left.set(card, decks.saturating_sub(shoe.dealt.copies(card))));
        if self.dice.chance(20) {
            left.add(self.card());
        }
        left
    }

    fn settings(&mut self) -> (Box<Settings>, Arc<str>) {
        let table = self.table;
        let game = match table.state().settings.as_ref() {
            Some(settings) if self.dice.chance(70) => settings.game.clone(),
            Some(_) | None => self.dice.pick(self.books).0,
        };
        let (_, text) = self.books.iter().find(|(it, _)| *it == game).expect("a game").clone();
        (Box::new(floor::settings(self.dice, &text)), text)
    }

    /// Other limits, of which some cannot be.
    fn limits(&mut self) -> Command {
        let amounts = [20, 40, 100, 200, 300, 1000, 2000];
        let minimum = Self::money(self.dice.pick(&amounts));
        let differential = Self::money(self.dice.pick(&amounts));
        let maximum = Self::money(self.dice.pick(&amounts));
        let bet = self.bet();
        let live = self.table.law().is_some_and(|law| !law.is_electronic());
        Command::ChangeLimits {
            betting_box: self
                .dice
                .chance(if live { 80 } else { 3 })
                .then_some(BoxLimits { minimum, differential }),
            bets: self.dice.chance(20).then_some((bet, Range { minimum, maximum })).into_iter().collect(),
            other_bets: self.some(50, Range { minimum, maximum }),
        }
    }

    pub(crate) fn command(&mut self, kind: Kind) -> Command {
        let shuffler: Person = "shuffler-2".into();
        match kind {
            Kind::OpenTable => {
                let (settings, rulebook) = self.settings();
                let second = self.person();
                Command::OpenTable { settings, rulebook, second: self.some(85, second) }
            }
            Kind::ChangeSettings => {
                let (settings, rulebook) = self.settings();
                let second = self.person();
                Command::ChangeSettings { settings, rulebook, second: self.some(60, second) }
            }
            Kind::ChangeLimits => self.limits(),
            Kind::AnnounceClosing => Command::AnnounceClosing {},
            Kind::CloseTable => Command::CloseTable {},
            Kind::LoadShoe => Command::LoadShoe {
                card_set: "blue-1".into(),
                shuffled_by: self.some(94, shuffler),
                commitment: self.commitment(),
            },
            Kind::InspectCards => {
                let found = if self.dice.chance(80) { Vec::new() } else { self.cards(1, 1) };
                Command::InspectCards { missing: found, extra: vec![] }
            }
            Kind::CutCards => Command::CutCards { at: self.dice.pick(&[0, 14, 100, 207, 2000]) },
            Kind::BurnCards => {
                let shown = self.card();
                let due = self.table.law().map_or(0, |law| law.burn(Some(shown)));
                let count = if self.dice.chance(5) { due + 1 } else { due };
                Command::BurnCards { shown: Some(shown), count }
            }
            Kind::RetireShoe => Command::RetireShoe { reason: self.reason() },
            Kind::ExchangeShoe => Command::ExchangeShoe {
                card_set: "red-1".into(),
                shuffled_by: self.some(94, shuffler),
                commitment: self.commitment(),
                reason: self.reason(),
            },
            Kind::ReconcileShoe => {
                let shoe = self.retired();
                Command::ReconcileShoe {
                    shoe,
                    left: Box::new(self.left(shoe)),
                    discarded: Box::new(Composition::EMPTY),
                }
            }
            Kind::RevealShoe => {
                let shoe = self.retired();
                let retired = self.state().retired.iter().find(|it| it.no == shoe);
                let decks = retired.map_or(0, |it| it.cards / Card::KINDS as u16);
                let decks = if self.dice.chance(85) { decks as u8 } else { 0 };
                Command::RevealShoe { shoe, salt: SALT.into(), cards: Self::committed(decks) }
            }
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
            Kind::RejectExcess => {
                let limits = self.table.law().and_then(|law| law.terms.box_limits());
                let over: Vec<BoxNo> = self.round().zip(limits).map_or_else(Vec::new, |(round, limits)| {
                    let flagged = |it: &punto_rules::BettingBox| !it.flags(limits).is_empty();
                    round.wagers.boxes().filter(|(_, it)| flagged(it)).map(|(no, _)| no).collect()
                });
                let any = over.is_empty() || self.dice.chance(20);
                Command::RejectExcess { box_no: if any { self.box_no() } else { self.dice.pick(&over) } }
            }
            Kind::Advise => self.advise(),
            Kind::AmendWager => {
                let bet = self.bet();
                let stake = self.stake(&bet);
                let (patron, box_no, stance) = (self.patron(), self.box_no(), self.stance());
                let late = self.round().is_none_or(|round| round.has_drawn());
                let second = self.person();
                let (surveillance, second) = (self.reason(), self.some(85, second));
                Command::AmendWager {
                    patron,
                    box_no,
                    stance,
                    bet,
                    stake,
                    reason: self.reason(),
                    surveillance: self.some(if late { 90 } else { 5 }, surveillance),
                    second_post: second.as_ref().and_then(|it| post_of(it.as_str())),
                    second,
                }
            }
            Kind::AskSqueeze => {
                let originals = self.round().map_or_else(Vec::new, |round| {
                    let wagers = round.wagers.iter().filter(|(_, it)| it.side.is_some());
                    let mut wagers: Vec<_> = wagers.map(|(key, it)| (it.stake, key.patron)).collect();
                    wagers.sort();
                    wagers
                });
                let highest = originals.last().map(|(_, patron)| *patron);
                let patron = highest.filter(|_| self.dice.chance(70)).unwrap_or_else(|| self.patron());
                Command::AskSqueeze { patron, card: self.squeeze() }
            }
            Kind::GrantSqueeze => {
                let asked = self.round().and_then(|round| round.squeezes.last().copied());
                let (patron, card) =
                    asked.map_or_else(|| (self.patron(), self.squeeze()), |it| (it.patron, it.card));
                Command::GrantSqueeze { patron, card, grant: self.dice.chance(70) }
            }
            Kind::DrawCard => {
                let card = match self.dice.below(100) {
                    0 => Seen::Foreign("joker".into()),
                    1..4 => Seen::Unreadable,
                    4 if self.dice.chance(20) => Seen::Covered,
                    _ => Seen::Card(self.card()),
                };
                let to = self.dice.pick(&[Side::Player, Side::Banker]);
                let source =
                    self.dice.weigh(&[(60, Source::Read), (38, Source::Keyed), (1, Source::Carried)]);
                Command::DrawCard { card, source, to: self.some(4, to) }
            }
            Kind::ReadCard => {
                let foreign = self.dice.chance(5);
                let card = if foreign { Seen::Foreign("joker".into()) } else { Seen::Card(self.card()) };
                Command::ReadCard { card }
            }
            Kind::CorrectCard => {
                let cards = self.out();
                let last = cards.len().max(1);
                let at = if self.dice.chance(70) { last } else { self.dice.below(last + 1) };
                let was = at.checked_sub(1).and_then(|place| cards.get(place)).copied();
                let was = was.unwrap_or_else(|| self.card());
                Command::CorrectCard { at: at as u16, was, card: self.card() }
            }
            Kind::TurnCards => Command::TurnCards {
                cards: if self.dice.chance(85) { vec![] } else { vec![self.squeeze().into()] },
            },
            Kind::ConfirmCards => {
                let mut cards = self.out();
                match self.dice.below(12) {
                    0..2 => cards.push(self.card()),
                    2 => cards = self.complete(),
                    3 => cards.extend(self.cards(0, 4)),
                    4 => cards.truncate(1),
                    5 => self.dice.shuffle(&mut cards),
                    _ => {}
                }
                let second = self.person();
                Command::ConfirmCards { cards, second: self.some(90, second) }
            }
            Kind::ConfirmResult => Command::ConfirmResult {},
            Kind::Report => Command::Report { report: self.report() },
            Kind::Rule => {
                let matter = self.matter_no();
                let second = self.person();
                let second = self.some(85, second);
                let together =
                    self.matter(matter).is_some_and(|it| it.kind == IrregularityKind::SimultaneousDraw);
                Command::Rule {
                    matter,
                    ruling: self.ruling(matter),
                    replace_shoe: self.dice.chance(if together { 50 } else { 5 }),
                    reason: self.reason(),
                    second_post: second.as_ref().and_then(|it| post_of(it.as_str())),
                    second,
                    departs: self.dice.chance(3).then(|| self.dice.pick(&[0, 25, 32, 51, 52])),
                }
            }
            Kind::Choose => Command::Choose {
                patron: self.waiting_patron(),
                choice: self.dice.pick(&[Choice::Continue, Choice::TakeBack]),
            },
            Kind::CloseChoices => Command::CloseChoices {},
            Kind::BuyCredits => Command::BuyCredits { patron: self.patron(), amount: self.amount() },
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
                let first = self.state().cases.keys().next().copied();
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
                let first = self.state().acceptors.keys().next().cloned();
                let acceptor = first.unwrap_or_else(|| "acceptor-99".into());
                Command::EmptyAcceptor { acceptor, second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::CountAcceptor => {
                let first = self.state().drops.iter().next().map(|(drop, it)| (*drop, it.expected));
                let (drop, expected) = first.unwrap_or((DropNo(99), Money::ZERO));
                let counted = if self.dice.chance(70) { expected } else { self.amount() };
                Command::CountAcceptor { drop, counted, second: self.dice.chance(90).then(|| self.person()) }
            }
            Kind::RedeemTicket => Command::RedeemTicket { patron: self.patron(), ticket: "t-1".into() },
            Kind::CashOut => {
                let patron = self.patron_with(|it| !it.credits.is_zero());
                Command::CashOut { patron, second: Some("second".into()) }
            }
            Kind::Collect => {
                let patron = self.patron_with(|it| !it.owed.is_zero());
                let owed = self.state().account(patron).map_or(Money::ZERO, |it| it.owed);
                let amount = if self.dice.chance(60) { owed } else { self.amount() };
                Command::Collect { patron, amount, second: Some("second".into()) }
            }
            Kind::RecordPush => self.push(),
            Kind::HoldPayout => {
                let state = self.state();
                let in_play = state.round().into_iter().flat_map(|it| it.wagers.iter());
                let last = state.last().into_iter().flat_map(|last| last.lines.iter().map(|it| it.patron));
                let own: Vec<_> = in_play.map(|(key, _)| key.patron).chain(last).collect();
                let patron = if own.is_empty() { self.patron() } else { self.dice.pick(&own) };
                Command::HoldPayout { patron, reference: self.reason() }
            }
            Kind::DecideHeld => {
                let held: Vec<SlipNo> = self.state().held_payouts.keys().copied().collect();
                let slip = if held.is_empty() { SlipNo(99) } else { self.dice.pick(&held) };
                let outcome = self.dice.pick(&[HeldOutcome::Released, HeldOutcome::Forfeited]);
                let second = self.person();
                let second = self.some(90, second);
                let second_post = second.as_ref().and_then(|it| post_of(it.as_str()));
                Command::DecideHeld { slip, outcome, reference: self.reason(), second, second_post }
            }
            Kind::ExtendHold => Command::ExtendHold { matter: self.matter_no(), reason: self.reason() },
            Kind::KeepUnclaimed => {
                let patron = self.patron_with(|it| !it.credits.is_zero());
                let attendant = self.dice.chance(90).then(|| self.person());
                Command::KeepUnclaimed { patron, attendant }
            }
            Kind::ReviewSetAside => {
                let last = self.state().set_aside.keys().next_back().copied();
                Command::ReviewSetAside { slip: last.unwrap_or(SlipNo(99)), reason: self.reason() }
            }
            Kind::PayUnclaimed => {
                let patron = self.patron_with(|it| it.unclaimed > 0);
                let there = self.state().account(patron).map_or(0, |it| it.unclaimed);
                let there = u64::try_from(there).ok().and_then(Money::new).unwrap_or(Money::MAX);
                let amount = if self.dice.chance(60) { there } else { self.amount() };
                Command::PayUnclaimed { patron, amount, second: Some("second".into()) }
            }
            Kind::OpenFloat => {
                Command::OpenFloat { amount: Self::money(1_000_000), second: Some("second".into()) }
            }
            Kind::CloseFloat => Command::CloseFloat { counted: self.amount(), second: Some("second".into()) },
            Kind::Fill => {
                let (amount, slip) = (self.amount(), "f-1".into());
                Command::Fill { amount, slip, second: Some("second".into()) }
            }
            Kind::Credit => {
                let (amount, slip) = (self.amount(), "c-1".into());
                Command::Credit { amount, slip, second: Some("second".into()) }
            }
            Kind::Drop => Command::Drop { amount: self.amount(), second: Some("second".into()) },
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
                let (round, mut patron) = (self.round_no(), self.patron());
                // Mostly somebody who has a right to.
                let state = self.state();
                let last = state.last().into_iter().flat_map(|last| last.lines.iter().map(|it| it.patron));
                let own: Vec<_> = last.collect();
                if !own.is_empty() && self.dice.chance(70) {
                    patron = self.dice.pick(&own);
                }
                Command::OpenDispute {
                    round: self.some(50, round),
                    patron: self.some(70, patron),
                    words: self.reason(),
                    about: self.dice.chance(60).then(|| self.dice.pick(&DisputeAbout::ALL)),
                    box_no: self.dice.chance(20).then(|| self.box_no()),
                }
            }
            Kind::BundleDispute => {
                Command::BundleDispute { dispute: self.dispute(), digest: Digest([7; 32]) }
            }
            Kind::SeeDispute => {
                let reference = self.reason();
                Command::SeeDispute { dispute: self.dispute(), surveillance: self.some(40, reference) }
            }
            Kind::CloseDispute => {
                let matter = MatterNo(1 + self.dice.below(5) as u32);
                Command::CloseDispute {
                    dispute: self.dispute(),
                    words: self.reason(),
                    matter: self.some(10, matter),
                }
            }
            Kind::TakePost => Command::TakePost { person: self.person(), post: Post::Dealer },
            Kind::LeavePost => Command::LeavePost { person: self.person(), post: Post::Dealer },
            Kind::StartShift => Command::StartShift { name: ShiftName::as_recorded(self.reason()) },
            Kind::NoteClock => Command::NoteClock { from: Timestamp(1), to: Timestamp(2) },
        }
    }

    fn dispute(&mut self) -> DisputeNo {
        let open: Vec<DisputeNo> = self.state().disputes.keys().copied().collect();
        if open.is_empty() || self.dice.chance(10) { DisputeNo(99) } else { self.dice.pick(&open) }
    }

    /// Tells somebody that a bet is outside its limits: whichever is shown so, else any.
    fn advise(&mut self) -> Command {
        let minimum = self.table.law().and_then(|law| law.terms.box_limits()).map(|it| it.minimum);
        let standing: Vec<_> = self.round().map_or_else(Vec::new, |round| {
            let small = |it: &punto_table::Standing| {
                it.side.is_none() || minimum.is_some_and(|least| it.stake < least)
            };
            round.wagers.iter().filter(|(_, it)| small(it)).map(|(key, _)| key.clone()).collect()
        });
        let other = punto_table::WagerKey { patron: self.patron(), box_no: None, bet: self.bet() };
        let key = if standing.is_empty() { other } else { self.dice.pick(&standing) };
        let box_no = key.box_no.unwrap_or_else(|| self.box_no());
        Command::Advise { patron: key.patron, box_no, bet: key.bet }
    }

    fn withdraw(&mut self) -> Command {
        let standing: Vec<_> = self.round().map_or_else(Vec::new, |round| {
            round.wagers.iter().map(|(key, it)| (key.clone(), it.stake)).collect()
        });
        if standing.is_empty() || self.dice.chance(10) {
            let (box_no, _) = self.boxed();
            return Command::WithdrawWager { patron: self.patron(), box_no, bet: self.bet(), amount: None };
        }
        let (key, stake) = self.dice.pick(&standing);
        let amount = match self.dice.below(4) {
            0 | 1 => None,
            2 => Some(stake.less(Self::money(100))),
            _ => Some(self.amount()),
        };
        Command::WithdrawWager { patron: key.patron, box_no: key.box_no, bet: key.bet, amount }
    }
}
