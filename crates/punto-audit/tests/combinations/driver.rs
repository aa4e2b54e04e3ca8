//! Plays on by itself: tries what may come next until the table takes it, and writes the record down.

use std::sync::Arc;

use punto_record::{
    Actor, BoxNo, Choice, Command, Entry, LedgerKind, MoneyKind, Order, OrderId, Release, Report, Ruling,
    Seen, Settings, Source, Timestamp,
};
use punto_rules::{Card, Money, PatronNo, Post};
use punto_table::{Given, Matter, Phase, Round, Stage, State, Table};

use crate::ledger::{Ledger, approved, key};

/// A kind of table, by what changes when something goes wrong.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    game: &'static str,
    layout: &'static str,
    /// More settings, as JSON.
    settings: &'static str,
    /// The cards in drawing order, over and over.
    cards: &'static str,
}

/// A Round of six cards, a natural, and one that is even to the end.
const LONG: &str = "2s 9d 4h 3c 5d 6h 7c 8s 3d Ah";
const NATURAL: &str = "4s 2d 5h Kc 6d Jh Qc 8h";
const EVEN: &str = "Ks Qd 2h 2c 3h 3d 4c 9s Th 6c";

#[rustfmt::skip]
pub(crate) const TABLES: &[Variant] = &[
    Variant { name: "Wu Song, credits", game: "wu-song", layout: "D", settings: "{}", cards: LONG },
    Variant { name: "Wu Song, face down", game: "wu-song", layout: "A", settings: r#"{"faces": "down"}"#, cards: EVEN },
    Variant { name: "Wu Song, chips", game: "wu-song", layout: "E", settings: r#"{"money": "chips", "limits": "observed"}"#, cards: NATURAL },
    Variant { name: "RWS, credits", game: "rws-baccarat", layout: "A", settings: "{}", cards: EVEN },
    Variant { name: "RWS, face down", game: "rws-baccarat", layout: "B", settings: r#"{"faces": "down"}"#, cards: LONG },
    Variant { name: "RWS, chips", game: "rws-baccarat", layout: "C", settings: r#"{"money": "chips", "limits": "observed"}"#, cards: LONG },
    Variant { name: "RWS, the last Round of a shoe", game: "rws-baccarat", layout: "H", settings: r#"{"cut_card": 410}"#, cards: LONG },
    Variant { name: "Da Hu, credits", game: "da-hu-ying-xiong", layout: "A", settings: "{}", cards: LONG },
    Variant { name: "Da Hu, face down", game: "da-hu-ying-xiong", layout: "B", settings: r#"{"faces": "down"}"#, cards: EVEN },
    Variant { name: "Da Hu, chips", game: "da-hu-ying-xiong", layout: "D", settings: r#"{"money": "chips", "limits": "observed"}"#, cards: NATURAL },
    Variant { name: "Da Hu, continuous shuffler", game: "da-hu-ying-xiong", layout: "C", settings: r#"{"device": "continuous-shuffler"}"#, cards: LONG },
    Variant { name: "electronic", game: "ncb-etg", layout: "terminal", settings: "{}", cards: LONG },
    Variant { name: "electronic, the last Round of a shoe", game: "ncb-etg", layout: "terminal", settings: r#"{"cut_card": 410}"#, cards: EVEN },
];

/// Of several rulings and choices that are open, which is tried first.
pub(crate) const PREFERENCES: usize = 3;
/// From any trouble to the end of the Round; far more than it takes.
const MOST_STEPS: usize = 80;
const PATRONS: u32 = 3;

pub(crate) fn staff(post: Post) -> Actor {
    Actor::Staff { person: format!("the-{}", post.id()).parse().expect("a name"), post }
}

pub(crate) fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
}

/// A table, its record, and who goes on with it.
#[derive(Clone)]
pub(crate) struct Driver {
    pub(crate) table: Table,
    pub(crate) ledger: Ledger,
    cards: Arc<[Card]>,
    prefer: usize,
    n: u64,
}

type Orders = Vec<(Actor, Command)>;

impl Driver {
    /// A table with a shoe, credits or a float, and no Round yet.
    pub(crate) fn opened(variant: &Variant, prefer: usize) -> Driver {
        let mut settings = serde_json::json!({
            "table": "table-1", "game": variant.game, "layout": variant.layout, "decks": 8,
            "other_bets": { "minimum": 20, "maximum": 100_000 },
        });
        if variant.game != "ncb-etg" {
            settings["betting_box"] = serde_json::json!({ "minimum": 200, "differential": 100_000 });
        }
        let more: serde_json::Value = serde_json::from_str(variant.settings).expect("JSON");
        for (name, value) in more.as_object().expect("settings") {
            settings[name] = value.clone();
        }
        let settings: Settings = serde_json::from_value(settings).expect("settings");
        let is_chips = settings.money == MoneyKind::Chips;
        let mut driver = Driver {
            table: Table::default(),
            ledger: Ledger::founded(LedgerKind::Demo, &key(1)),
            cards: cards(variant.cards).into(),
            prefer,
            n: 0,
        };
        let rulebook = approved(variant.game).expect("approved");
        let open: Command = serde_json::from_value(
            serde_json::json!({ "do": "open-table", "settings": settings, "rulebook": rulebook }),
        )
        .expect("an order");
        driver.must(Actor::Administrator { person: "office".into() }, open);
        driver.must(
            staff(Post::Dealer),
            Command::LoadShoe {
                card_set: "blue-1".into(),
                shuffled_by: Some("shuffler-2".into()),
                commitment: None,
            },
        );
        if is_chips {
            driver.must(
                staff(Post::PitSupervisor),
                Command::OpenFloat { amount: driver.money(10_000_000), second: None },
            );
        } else {
            for patron in (1..=PATRONS).map(PatronNo) {
                let by = Actor::Cashier { person: "cage".into() };
                driver.must(by, Command::BuyCredits { patron, amount: driver.money(1_000_000) });
            }
        }
        driver
    }

    pub(crate) fn money(&self, minor_units: u64) -> Money {
        Money::new(minor_units).expect("an amount")
    }

    fn state(&self) -> &State {
        self.table.state()
    }

    fn round(&self) -> Option<&Round> {
        self.state().round()
    }

    pub(crate) fn is_live(&self) -> bool {
        self.table.law().is_some_and(|law| !law.is_electronic())
    }

    fn is_chips(&self) -> bool {
        self.table.law().is_some_and(|law| law.settings.money == MoneyKind::Chips)
    }

    pub(crate) fn has_bets(&self) -> bool {
        self.round()
            .is_some_and(|it| matches!(it.stage, Stage::Betting { .. }) && it.wagers.patrons().len() == 3)
    }

    pub(crate) fn is_dealing(&self) -> bool {
        self.round().is_some_and(|it| matches!(it.stage, Stage::Dealing {}))
    }

    pub(crate) fn is_confirming(&self) -> bool {
        self.round().is_some_and(|it| matches!(it.stage, Stage::Confirming { .. }))
    }

    pub(crate) fn cards_out(&self) -> usize {
        self.round().map_or(0, |round| round.drawn.len())
    }

    pub(crate) fn rounds(&self) -> u32 {
        self.state().rounds.0
    }

    /// Whether so many Rounds are over and nothing waits to be ruled.
    pub(crate) fn is_over(&self, rounds: u32) -> bool {
        let state = self.state();
        self.round().is_none() && self.rounds() >= rounds && !state.matters.iter().any(|it| it.holds)
    }

    /// The card that a device deals next.
    pub(crate) fn next_card(&self) -> Card {
        self.card_after(0)
    }

    pub(crate) fn card_after(&self, count: usize) -> Card {
        let drawn = self.state().shoe.as_ref().map_or(0, |shoe| usize::from(shoe.drawn));
        self.cards[(drawn + count) % self.cards.len()]
    }

    pub(crate) fn whereabouts(&self) -> String {
        let matters: Vec<_> = self.matters().iter().map(|it| it.report.clone()).collect();
        let refused: Vec<String> = self
            .next()
            .iter()
            .map(|(by, command)| match self.table.decide(&self.order(by, command), &given()) {
                Ok(_) => format!("{command:?} is taken"),
                Err(refused) => format!("{command:?}: {refused}"),
            })
            .collect();
        let stage = self.round().map(|round| &round.stage);
        format!("{stage:?}, {matters:?}\n  {}", refused.join("\n  "))
    }

    /// Goes on until this holds; false if the table takes nothing any more.
    pub(crate) fn until(&mut self, holds: impl Fn(&Driver) -> bool) -> bool {
        for _ in 0..MOST_STEPS {
            if holds(self) {
                return true;
            }
            if !self.step() {
                return false;
            }
        }
        false
    }

    /// One order, whatever comes next.
    pub(crate) fn step(&mut self) -> bool {
        let next = self.next();
        self.give_one(&next)
    }

    /// Everybody who can takes their credits out.
    pub(crate) fn cash_out(&mut self) {
        for patron in (1..=PATRONS).map(PatronNo) {
            self.give_one(&[(Actor::Patron { patron }, Command::CashOut { patron, second: None })]);
        }
    }

    fn must(&mut self, by: Actor, command: Command) {
        let what = format!("{command:?}");
        assert!(self.give_one(&[(by, command)]), "{what}: {}", self.whereabouts());
    }

    /// The first of these orders that the table takes.
    pub(crate) fn give_one(&mut self, orders: &[(Actor, Command)]) -> bool {
        for (by, command) in orders {
            let order = self.order(by, command);
            let Ok(events) = self.table.decide(&order, &given()) else { continue };
            let seq = self.state().seq.next();
            let entry = entry(seq, order, events);
            self.table.enter(&entry);
            self.ledger.plain_entry(&"table-1".into(), &entry);
            self.n += 1;
            return true;
        }
        false
    }

    fn order(&self, by: &Actor, command: &Command) -> Order {
        // The clock of an electronic table and that of choices have run out.
        let waits = matches!(command, Command::CloseBets {} | Command::CloseChoices {});
        let later = if waits { 200_000 } else { 500 };
        Order {
            id: OrderId { device: "console".into(), n: self.n + 1 },
            by: by.clone(),
            at: Timestamp(self.state().now.0.max(crate::ledger::EARLY) + later),
            round: self.round().map(|round| round.no),
            command: command.clone(),
        }
    }

    fn matters(&self) -> Vec<Matter> {
        let held = self.round().map_or(&[][..], |round| round.matters());
        held.iter().chain(&self.state().matters).cloned().collect()
    }

    /// What may come next, the likeliest first.
    fn next(&self) -> Orders {
        match &self.state().phase {
            Phase::Closed => Vec::new(),
            Phase::Between { .. } => self.between(),
            Phase::Round(round) => self.in_round(round),
        }
    }

    fn between(&self) -> Orders {
        let mut next = self.rulings();
        let shift_manager = staff(Post::ShiftManager);
        let keep = Command::RuleCarriedCards { keep: self.prefer == 0, reason: "looked at".into() };
        let exchange = Command::ExchangeShoe {
            card_set: "red-1".into(),
            shuffled_by: Some("shuffler-2".into()),
            commitment: None,
            reason: "due".into(),
        };
        next.push((shift_manager.clone(), keep));
        for (dispute, it) in &self.state().disputes {
            let (dispute, words) = (*dispute, "looked at".into());
            if it.must_be_decided() {
                let close = Command::CloseDispute { dispute, words, matter: None };
                next.push((staff(Post::PitSupervisor), close));
            } else if it.timely && !it.seen {
                next.push((staff(Post::PitSupervisor), Command::SeeDispute { dispute, surveillance: None }));
            }
        }
        next.extend(self.seats());
        next.push((staff(Post::Dealer), Command::OpenBets {}));
        next.push((Actor::House, Command::OpenBets {}));
        next.push((shift_manager, exchange));
        next
    }

    /// Each of the three patrons sits at the box of their number.
    fn seats(&self) -> Orders {
        let by = if self.is_chips() { staff(Post::Dealer) } else { Actor::House };
        let free = (1..=3).filter(|no| !self.state().seats.contains_key(&BoxNo(*no)));
        let take = |no: u8| Command::TakeSeat { patron: Some(PatronNo(no.into())), box_no: BoxNo(no) };
        free.map(|no| (by.clone(), take(no))).collect()
    }

    fn in_round(&self, round: &Round) -> Orders {
        let dealer = staff(Post::Dealer);
        match &round.stage {
            Stage::Betting { .. } => self.betting(round),
            Stage::Dealing {} if round.shoe_awaited => {
                let exchange = Command::ExchangeShoe {
                    card_set: "red-1".into(),
                    shuffled_by: Some("shuffler-2".into()),
                    commitment: None,
                    reason: "ruled".into(),
                };
                vec![(dealer, exchange)]
            }
            Stage::Dealing {} => {
                let source = if round.drawn.len().is_multiple_of(2) { Source::Read } else { Source::Keyed };
                let card = Seen::Card(self.next_card());
                vec![(dealer, Command::DrawCard { card, source, to: None })]
            }
            Stage::Unread {} => vec![(dealer, Command::ReadCard { card: Seen::Card(self.next_card()) })],
            Stage::Held { .. } => self.rulings(),
            Stage::Choosing { waiting, .. } => {
                let mut next = Vec::new();
                for patron in waiting.iter().copied() {
                    let takes_back = (patron.0 as usize + self.prefer).is_multiple_of(2);
                    let choice = if takes_back { Choice::TakeBack } else { Choice::Continue };
                    let choose = Command::Choose { patron, choice };
                    next.push((Actor::Patron { patron }, choose.clone()));
                    next.push((dealer.clone(), choose));
                }
                next.push((dealer, Command::CloseChoices {}));
                next.push((Actor::House, Command::CloseChoices {}));
                next
            }
            Stage::Confirming { .. } => vec![
                (dealer.clone(), Command::TurnCards { cards: vec![] }),
                (dealer, Command::ConfirmResult {}),
            ],
            Stage::Interrupted { .. } if round.disputed().is_some() => self.rulings(),
            Stage::Interrupted { .. } => self.confirmations(round),
        }
    }

    fn betting(&self, round: &Round) -> Orders {
        let mut next = Vec::new();
        let boxed = self.is_live();
        for (patron, box_no, bet, stake) in [
            (1, 1, "banker", 90_000),
            (2, 1, "player", 4_000),
            (2, 2, "player", 120_000),
            (3, 1, "banker", 130_000),
            (3, 3, "banker", 60_000),
        ] {
            let patron = PatronNo(patron);
            if round.wagers.of(patron).any(|(key, _)| key.bet.as_str() == bet) {
                continue;
            }
            let (bet, stake, stance) = (bet.into(), self.money(stake), None);
            if self.is_chips() {
                let box_no = BoxNo(box_no);
                let chips = Command::RecordChips { patron, box_no, stance, bet, stake };
                next.push((staff(Post::Dealer), chips));
            } else {
                let box_no = boxed.then_some(BoxNo(box_no));
                next.push((
                    Actor::Patron { patron },
                    Command::PlaceWager { patron, box_no, stance, bet, stake },
                ));
            }
        }
        // What the console shows to be outside the limits is dealt with before the close.
        for (key, _) in round.wagers.iter() {
            if let Some(box_no) = key.box_no {
                let advise = Command::Advise { patron: key.patron, box_no, bet: key.bet.clone() };
                next.insert(0, (staff(Post::Dealer), Command::RejectExcess { box_no }));
                if self.prefer == 1 {
                    next.insert(1, (staff(Post::Dealer), advise));
                }
            }
        }
        if !self.has_bets() {
            next.retain(|(_, command)| {
                !matches!(command, Command::RejectExcess { .. } | Command::Advise { .. })
            });
        }
        next.push((staff(Post::Dealer), Command::CloseBets {}));
        next.push((Actor::House, Command::CloseBets {}));
        next
    }

    /// The cards as they were read; by preference with another in the place of the last.
    fn confirmations(&self, round: &Round) -> Orders {
        let read: Vec<Card> =
            round.drawn.iter().map(|it| it.seen.card().unwrap_or_else(|| self.card_after(4))).collect();
        let mut other = read.clone();
        if let Some(last) = other.last_mut() {
            *last = self.card_after(3);
        }
        let foreign = round.drawn.iter().filter(|it| !matches!(it.seen, Seen::Foreign(_)));
        let of_the_set: Vec<Card> = foreign.filter_map(|it| it.seen.card()).collect();
        let lists = if self.prefer == 2 { [other, read, of_the_set] } else { [read, of_the_set, other] };
        let mut next = Vec::new();
        for cards in lists {
            let dealer = Some("the-dealer".into());
            let confirm = |second| Command::ConfirmCards { cards: cards.clone(), second };
            next.push((staff(Post::PitSupervisor), confirm(dealer)));
            next.push((staff(Post::Dealer), confirm(None)));
        }
        next
    }

    /// Every ruling on every matter that somebody might give, with the preferred one first.
    fn rulings(&self) -> Orders {
        let mut next = Vec::new();
        for matter in self.matters() {
            let mut rulings = self.rulings_on(&matter);
            let by = self.prefer % rulings.len();
            rulings.rotate_left(by);
            for ruling in rulings {
                let command = serde_json::json!({
                    "do": "rule", "matter": matter.no, "ruling": ruling, "reason": "looked at",
                    "second": "the-duty-manager", "second_post": "duty-manager",
                });
                let command: Command = serde_json::from_value(command).expect("an order");
                next.push((staff(Post::ShiftManager), command));
            }
        }
        next
    }

    fn rulings_on(&self, matter: &Matter) -> Vec<Ruling> {
        // In the order that counts, as ruled before.
        let out = self.round().map_or_else(Vec::new, |round| round.order.clone());
        let settled = self.state().last().map_or_else(Vec::new, |last| last.drawn.clone());
        let lying = self.round().map_or_else(Vec::new, |round| {
            let hands = round.hands();
            let most = hands.player.len().max(hands.banker.len());
            let of = |i: usize| [hands.player.get(i).copied(), hands.banker.get(i).copied()];
            (0..most).flat_map(of).flatten().collect()
        });
        if let Report::CardsInDispute { read, confirmed, .. } = &matter.report {
            let of_the_set = read.iter().filter(|seen| !matches!(seen, Seen::Foreign(_)));
            let read = of_the_set.map(|seen| seen.card().unwrap_or_else(|| self.card_after(4))).collect();
            return vec![Ruling::Correct { cards: confirmed.clone() }, Ruling::Correct { cards: read }];
        }
        let exposed = if let Report::ExcessOrExposedCard { cards } | Report::SimultaneousDraw { cards, .. } =
            &matter.report
        {
            cards.clone()
        } else {
            Vec::new()
        };
        let waiting = [self.state().carried.clone(), exposed].concat();
        let in_order = if self.round().is_some() { out.clone() } else { waiting };
        vec![
            Ruling::Reconstruct {},
            Ruling::Continue {},
            Ruling::AsTheyLie { order: lying },
            Ruling::Void {},
            Ruling::InOrder { order: in_order },
            Ruling::Misread { card: None },
            Ruling::Misread { card: Some(self.card_after(5)) },
            Ruling::Stand {},
            Ruling::Correct { cards: if out.is_empty() { settled } else { out } },
            Ruling::Adjust { adjustments: vec![], round: None, cards: vec![] },
        ]
    }
}

fn given() -> Given {
    Given { new_ticket: Some("ticket".into()), ..Given::default() }
}

fn entry(seq: punto_record::Seq, order: Order, events: Vec<punto_record::Event>) -> Entry {
    Entry { seq, order, events, release: Release("test".into()), mandates: None }
}
