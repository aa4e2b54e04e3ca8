//! Interpretation 51. Chips recorded wrongly: after the first card the record is amended by two people of whom neither
//! dealt, with a recording, until the next Round commences; money follows from the stakes and the cards alone. Chips that
//! are no whole units do not play. A dispute about chips shows the wagers as they were recorded.

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{BoxNo, Change, Command, Entry, Event, Person, Pictured, RoundNo, SettledLine, Source};
use punto_rules::{BetId, Money, PatronNo, Post};

use super::past::Past;
use super::r37::due;
use crate::finding::Findings;

const NO: u8 = 51;

/// Names one wager of a Round.
type Wagered = (PatronNo, Option<BoxNo>, BetId);

pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    for (at, event) in entry.events.iter().enumerate() {
        if let Event::BetsClosed { .. } = event {
            out.interpreted(
                NO,
                is_whole(past, &entry.events[..at]),
                "chips that are no whole units were closed so",
            );
        }
        if let Event::WagerAmended { .. } = event {
            let drawn = past.round.iter().flat_map(|round| &round.drawn);
            if drawn.filter(|card| card.source != Source::Carried).count() > 0 {
                evidence(past, entry, out);
            }
        }
        if let Event::DisputeOpened { round: Some(round), patron: Some(patron), about, pictured, .. } = event
        {
            let named =
                if let Command::OpenDispute { box_no, .. } = &entry.order.command { *box_no } else { None };
            let is_so = match (about, recorded(past, *round)) {
                (None, _) => pictured.is_empty(),
                (Some(_), Some(recorded)) => is_picture(&recorded, *patron, named, pictured),
                // Of Rounds before the last one nothing is remembered here.
                (Some(_), None) => true,
            };
            out.interpreted(NO, is_so, "a dispute shows other wagers than were recorded");
        }
        if let Event::RoundAmended { round, result, lines, changes, .. } = event {
            evidence(past, entry, out);
            let last = past.last.as_ref().filter(|last| last.no == *round && !last.void);
            let last = last.filter(|_| past.round.is_none());
            out.interpreted(NO, last.is_some(), "chips were amended of a Round that stands");
            let Some(last) = last else { continue };
            out.interpreted(NO, one_differs(&last.lines, lines), "more than one stake was amended");
            let paid = |(patron, due): (&PatronNo, &i128)| {
                let of = lines.iter().filter(|line| line.patron == *patron);
                of.map(|line| i128::from(line.to_patron.get())).sum::<i128>() == *due
            };
            let right = due(past, lines, &result.cards).is_some_and(|due| due.iter().all(paid));
            out.interpreted(NO, right, "an amended Round was not settled by its cards");
            let words = "an amendment moved other money than the difference of the two settlements";
            out.interpreted(NO, moved(changes) == differences(&last.lines, lines), words);
        }
    }
}

/// The wagers of the Round in play or just over, by the record.
fn recorded(past: &Past, round: RoundNo) -> Option<BTreeMap<Wagered, Money>> {
    if let Some(in_play) = past.round.as_ref().filter(|it| it.no == round) {
        return Some(in_play.stakes.clone());
    }
    let last = past.last.as_ref().filter(|last| last.no == round && !last.void && past.round.is_none())?;
    Some(last.lines.iter().map(|it| ((it.patron, it.box_no, it.bet.clone()), it.stake)).collect())
}

/// Whether a picture shows what was recorded in the boxes of the patron and in the one that was named, and nothing else.
fn is_picture(
    recorded: &BTreeMap<Wagered, Money>,
    patron: PatronNo,
    named: Option<BoxNo>,
    pictured: &[Pictured],
) -> bool {
    let own: BTreeSet<BoxNo> =
        recorded.keys().filter(|(whose, ..)| *whose == patron).filter_map(|(_, no, _)| *no).collect();
    let is_due = |(whose, no, _): &Wagered| match no {
        Some(no) => own.contains(no) || named == Some(*no),
        None => *whose == patron,
    };
    let due: BTreeMap<&Wagered, Money> =
        recorded.iter().filter(|(key, _)| is_due(key)).map(|(key, stake)| (key, *stake)).collect();
    let is_so = |it: &Pictured| due.get(&(it.patron, it.box_no, it.bet.clone())) == Some(&it.stake);
    due.len() == pictured.len() && pictured.iter().all(is_so)
}

/// The recording, and two people of whom neither dealt.
fn evidence(past: &Past, entry: &Entry, out: &mut Findings) {
    let Command::AmendWager { surveillance, second, second_post, .. } = &entry.order.command else { return };
    let shown = surveillance.as_ref().is_some_and(|it| !it.trim().is_empty());
    out.interpreted(NO, shown, "chips were amended after a card without a recording");
    let in_play = past.round.as_ref().map(|round| &round.dealers);
    let dealers = in_play.or(past.last.as_ref().map(|last| &last.dealers));
    let dealt = |person: &Person| dealers.is_some_and(|dealers| dealers.contains(person));
    let giver = entry.order.by.person();
    let may = entry.order.by.post().is_some_and(|post| post >= Post::PitSupervisor);
    out.interpreted(NO, may && !giver.is_some_and(dealt), "who amended dealt, or is below Pit Supervisor");
    let post = second_post.or_else(|| past.posts.get(second.as_ref()?).copied());
    let stands = post.is_some_and(|post| post >= Post::PitSupervisor);
    let agrees = second.as_ref().is_some_and(|it| Some(it) != giver && !dealt(it));
    out.interpreted(NO, agrees && stands, "chips were amended after a card by one person alone");
}

/// Whether exactly one stake is another.
fn one_differs(was: &[SettledLine], is: &[SettledLine]) -> bool {
    let stakes = |lines: &[SettledLine]| -> BTreeMap<_, _> {
        let key = |it: &SettledLine| (it.patron, it.box_no, it.bet.clone());
        lines.iter().map(|it| (key(it), it.stake)).collect()
    };
    let (was, is) = (stakes(was), stakes(is));
    let changed = is.iter().filter(|(key, stake)| was.get(*key) != Some(stake)).count();
    let gone = was.keys().filter(|key| !is.contains_key(*key)).count();
    changed + gone == 1
}

/// What each patron won more than before, stakes taken off.
fn differences(was: &[SettledLine], is: &[SettledLine]) -> BTreeMap<PatronNo, i128> {
    let mut all: BTreeMap<PatronNo, i128> = BTreeMap::new();
    for (lines, sign) in [(is, 1), (was, -1)] {
        for line in lines {
            let won = i128::from(line.to_patron.get()) - i128::from(line.stake.get());
            *all.entry(line.patron).or_default() += sign * won;
        }
    }
    all.retain(|_, amount| *amount != 0);
    all
}

fn moved(changes: &[Change]) -> BTreeMap<PatronNo, i128> {
    let mut all: BTreeMap<PatronNo, i128> = BTreeMap::new();
    for it in changes {
        let given = i128::from(it.paid.get()) + i128::from(it.cancelled.get());
        let taken = [it.taken, it.from_unclaimed, it.from_held, it.uncollected];
        let taken: i128 = taken.iter().map(|it| i128::from(it.get())).sum();
        *all.entry(it.patron).or_default() += given - taken;
    }
    all.retain(|_, amount| *amount != 0);
    all
}

/// Whether every stake is a whole number of units once these events have happened.
fn is_whole(past: &Past, events: &[Event]) -> bool {
    let (Some(round), Some(unit)) = (&past.round, past.settings.as_ref().and_then(|it| it.unit)) else {
        return true;
    };
    let mut stakes = round.stakes.clone();
    for event in events {
        if let Event::WagerReturned { patron, box_no, bet, stake, .. }
        | Event::WagerTrimmed { patron, box_no, bet, stake, .. } = event
        {
            stakes.insert((*patron, Some(*box_no), bet.clone()), *stake);
        }
    }
    stakes.values().all(|stake| stake.is_whole(unit))
}
