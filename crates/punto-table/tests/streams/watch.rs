//! What must hold after every event and every entry, whatever was ordered.

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{
    DeviceId, Entry, Event, LimitsMode, MoneyKind, Order, ReasonKind, Rejection, Release, Seen,
};
use punto_rules::{Card, Money, Side, reconstruct};
use punto_table::{Books, Given, Law, Phase, Round, Stage, State, Table, gate};

use super::pile::Pile;
use super::tally::Tally;

/// How often the whole record is replayed.
const REPLAY_EVERY: usize = 97;

#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) table: Table,
    pub(crate) entries: Vec<Entry>,
    pile: Pile,
    carried_out: BTreeSet<(DeviceId, u64)>,
}

impl Watch {
    /// Gives an order to the table and looks at everything that follows.
    pub(crate) fn give(&mut self, order: &Order, given: &Given, tally: &mut Tally) {
        let before = self.table.state().clone();
        let decided = self.table.decide(order, given);
        assert_eq!(self.table.decide(order, given), decided, "the same order, the same answer");
        assert_eq!(*self.table.state(), before, "deciding changes nothing");
        self.gate_agrees(order, &decided);
        json_keeps(order);
        tally.order(order, &decided);
        let id = (order.id.device.clone(), order.id.n);
        if self.carried_out.contains(&id) {
            let refused = decided.as_ref().expect_err("nothing is carried out twice");
            let kind = refused.reason.kind();
            assert!(matches!(kind, ReasonKind::OrderIdReused | ReasonKind::Superseded), "{kind:?}");
            let newest = before.devices[&id.0].n == id.1;
            let is_answered = self.table.answered(order).is_some();
            assert_eq!(is_answered, newest && kind == ReasonKind::Superseded, "a retry finds its answer");
        } else {
            assert_eq!(self.table.answered(order), None, "only what was carried out has an answer");
        }
        match decided {
            Ok(events) => {
                self.carried_out.insert(id);
                self.enter(order, events, &before);
            }
            Err(rejection) => json_keeps(&rejection),
        }
    }

    fn gate_agrees(&self, order: &Order, decided: &Result<Vec<Event>, Rejection>) {
        let (kind, by) = (order.command.kind(), &order.by);
        match (gate(self.table.state(), self.table.law(), kind, by), decided) {
            (Ok(()), _) => {}
            (Err(gate), Ok(_)) => panic!("the gate says {gate:?}, the order was carried out"),
            (Err(gate), Err(decided)) => {
                let first = matches!(
                    decided.reason.kind(),
                    ReasonKind::OrderIdReused
                        | ReasonKind::Superseded
                        | ReasonKind::PostNotHeld
                        | ReasonKind::NotYours
                        | ReasonKind::PatronsOwn
                        | ReasonKind::RoundMissing
                        | ReasonKind::WrongRound
                        // That depends on the register of a house as well.
                        | ReasonKind::LastRoundToPlay
                );
                let precedes = first && decided.reason.kind() < gate.reason.kind();
                assert!(precedes || gate == *decided, "the gate says {gate:?}, the table {decided:?}");
            }
        }
    }

    fn enter(&mut self, order: &Order, events: Vec<Event>, before: &State) {
        assert!(!events.is_empty(), "an order that is carried out does something");
        if let Some(round) = order.round {
            let current = before.round().map_or(before.rounds, |round| round.no);
            assert_eq!(round, current, "an order never acts in another Round");
        }
        let law = self.table.law();
        let mut step = before.clone();
        for event in &events {
            if let Some(law) = law {
                in_its_time(order, &step, event, law);
            }
            if let Event::RoundSettled { .. } | Event::RoundVoided { .. } = event {
                wagers_are_done(&step, event);
            }
            step.apply(event);
            self.pile.take(event);
            assert!(Books::is_balanced(&step), "the books balance after {event:?}");
            self.pile.check(&step);
            json_keeps(event);
        }
        let entry = Entry {
            seq: before.seq.next(),
            order: order.clone(),
            events,
            release: Release("test".into()),
            mandates: None,
        };
        json_keeps(&entry);
        self.table.enter(&entry);
        self.entries.push(entry);
        let state = self.table.state();
        assert!(state.now >= before.now, "time never runs backwards");
        assert!(state.rounds >= before.rounds && state.shoes >= before.shoes, "numbers are not used again");
        assert_eq!(state.phase, step.phase, "an entry is its events");
        assert_eq!(state.accounts, step.accounts);
        if let (Some(round), Some(law)) = (state.round(), self.table.law()) {
            a_round_is_sound(round, law);
        }
        if self.entries.len().is_multiple_of(REPLAY_EVERY) {
            self.replay();
        }
    }

    /// The record alone gives the same table.
    pub(crate) fn replay(&self) {
        let mut replayed = Table::default();
        self.entries.iter().for_each(|entry| replayed.enter(entry));
        assert_eq!(replayed.state(), self.table.state(), "replay equals play");
        assert_eq!(replayed.state().hash(), self.table.state().hash());
        assert_eq!(replayed.roads().marks(), self.table.roads().marks());
        assert_eq!(
            self.table.roads().marks(),
            self.table.state().marks.as_slice(),
            "the roads show the record"
        );
    }
}

/// Bets move only while they are open; the record is amended only before the first card.
#[allow(clippy::wildcard_enum_match_arm, reason = "only these move bets")]
fn in_its_time(order: &Order, before: &State, event: &Event, law: &Law) {
    let stage = before.round().map(|round| &round.stage);
    match event {
        Event::WagerRegistered { .. } | Event::WagerWithdrawn { .. } => {
            let Some(Stage::Betting { closes_at }) = stage else { panic!("{event:?} in {stage:?}") };
            assert!(!law.is_electronic() || order.at.max(before.now) < *closes_at, "after the clock closed");
        }
        Event::ChipsRecorded { .. } => {
            assert!(matches!(stage, Some(Stage::Betting { .. })), "{event:?} in {stage:?}");
        }
        // An amendment can take a box over the Differential, which trims it again.
        Event::WagerTrimmed { .. } => {
            let round = before.round().expect("a Round");
            let may = match round.stage {
                // A card ends the time for bets, also of a Round that a matter holds.
                Stage::Betting { .. } | Stage::Held { closes_at: Some(_), .. } => true,
                Stage::Dealing {} => round.drawn.iter().all(|dealt| dealt.carried),
                _ => false,
            };
            assert!(may, "{event:?} in {stage:?}");
        }
        Event::WagerAmended { surveillance, .. } => {
            let round = before.round().expect("a Round");
            let closed =
                matches!(round.stage, Stage::Dealing {} | Stage::Unread {} | Stage::Confirming { .. });
            assert!(closed, "{event:?} in {stage:?}");
            let untouched = round.drawn.iter().all(|dealt| dealt.carried);
            assert!(untouched || surveillance.is_some(), "amended after a card");
        }
        _ => {}
    }
}

/// A settled or void Round leaves nothing on the felt, and every wager has exactly one line.
#[allow(clippy::wildcard_enum_match_arm, reason = "asked for two events only")]
fn wagers_are_done(before: &State, event: &Event) {
    let Some(round) = before.round() else {
        assert!(
            matches!(event, Event::RoundVoided { returns, .. } if returns.is_empty()),
            "no Round in play"
        );
        return;
    };
    let standing: BTreeMap<_, _> =
        round.wagers.iter().map(|(key, it)| ((key.patron, key.box_no, key.bet.clone()), it.stake)).collect();
    match event {
        Event::RoundSettled { lines, result, house, .. } => {
            let Stage::Confirming { result: shown } = &round.stage else {
                panic!("settled in {:?}", round.stage)
            };
            assert_eq!(shown, result);
            assert_eq!(result.cards, counting(round), "settled by the cards that count");
            assert!(!round.has_covered(), "settled with cards face down");
            assert!(round.drawn.iter().all(|dealt| dealt.seen != Seen::Unreadable), "a card was never read");
            let done: BTreeMap<_, _> =
                lines.iter().map(|it| ((it.patron, it.box_no, it.bet.clone()), it.stake)).collect();
            assert_eq!((done.len(), done), (lines.len(), standing));
            let paid: i128 = lines.iter().map(|it| i128::from(it.to_patron.get())).sum();
            assert_eq!(
                paid + i128::from(*house),
                i128::from(round.wagers.total().get()),
                "nothing is made or lost"
            );
        }
        Event::RoundVoided { returns, .. } => {
            let done: BTreeMap<_, _> =
                returns.iter().map(|it| ((it.patron, it.box_no, it.bet.clone()), it.amount)).collect();
            assert_eq!((done.len(), done), (returns.len(), standing), "everything goes back");
        }
        _ => unreachable!("asked for these only"),
    }
}

fn a_round_is_sound(round: &Round, law: &Law) {
    let wagers = &round.wagers;
    let all: Money = wagers.iter().map(|(_, it)| it.stake).sum();
    assert_eq!(wagers.total(), all, "the total is the sum of the stakes");
    assert!(wagers.iter().all(|(_, it)| !it.stake.is_zero()), "a wager of nothing stands");
    assert!(
        wagers.iter().all(|(_, it)| it.playing.is_none_or(|playing| playing <= it.stake)),
        "more plays than stands"
    );
    for (box_no, betting_box) in wagers.boxes() {
        for side in Side::BOTH {
            let stakes = wagers.in_box(box_no).into_iter().filter(|(_, it)| it.side == Some(side));
            let stakes: Money = stakes.map(|(_, it)| it.stake).sum();
            assert_eq!(betting_box.totals()[side], stakes, "the layers of box {box_no} are its stakes");
        }
        let is_open = matches!(round.stage, Stage::Betting { .. } | Stage::Held { closes_at: Some(_), .. });
        let (limits, totals) = (law.terms.box_limits().expect("limits"), betting_box.totals());
        let gap = totals.player.get().abs_diff(totals.banker.get());
        if law.settings.limits == LimitsMode::Enforced && !is_open && !interrupted(round) && all_stand(round)
        {
            assert!(gap <= limits.differential.get(), "box {box_no} is over the Differential by {totals:?}");
        }
    }
    let originals = wagers.iter().filter(|(_, it)| it.side.is_some()).filter_map(|(key, _)| key.box_no);
    let boxes: BTreeSet<_> = originals.collect();
    assert_eq!(boxes, wagers.boxes().map(|(no, _)| no).collect(), "boxes with chips");
    if let Stage::Confirming { result } = &round.stage {
        assert_eq!(result.cards, counting(round), "the result is that of the cards that count");
    }
    if let Stage::Dealing {} | Stage::Confirming { .. } = round.stage {
        let unread = round.drawn.iter().any(|dealt| dealt.seen == Seen::Unreadable);
        assert!(!unread, "a card was never read");
    }
    assert!(law.settings.money == MoneyKind::Chips || law.settings.limits == LimitsMode::Enforced);
}

/// The cards of the Round without those that open the next.
fn counting(round: &Round) -> Vec<Card> {
    reconstruct(&round.order).0.drawn().collect()
}

fn interrupted(round: &Round) -> bool {
    matches!(round.stage, Stage::Interrupted { .. })
}

/// Nobody can have taken bets back: that may open the gap again, and what others play stays as it was (5.1).
fn all_stand(round: &Round) -> bool {
    matches!(round.stage, Stage::Dealing {}) && round.drawn.is_empty()
}

/// In JSON and back.
fn json_keeps<T>(it: &T)
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let text = serde_json::to_string(it).expect("JSON");
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(read, *it, "{text}");
}

/// The phase has a word in failures.
pub(crate) fn phase(state: &State) -> String {
    match &state.phase {
        Phase::Closed => "closed".to_owned(),
        Phase::Between { .. } => "between".to_owned(),
        Phase::Round(round) => format!("Round {}: {:?}", round.no, round.stage),
    }
}
