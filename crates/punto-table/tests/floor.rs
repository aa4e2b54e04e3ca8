//! What those who work at a table are told beside cards and money, after every entry of every scenario, against what the
//! events before it said.

mod scripts;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{Actor, Choice, Command, DisputeNo, Event, Order, Person, PostsBy, Report, ShoeNo};
use punto_rules::{BetId, IrregularityKind, PatronNo, Post};
use punto_table::{Audience, FloorView, Given, Stage, Table};
use scripts::scenarios;
use walk::{after_each, orders, played, walk};

const DEALER: Audience = Audience::Console { post: Post::Dealer };

/// What a screen would know that heard every event.
#[derive(Default)]
struct Heard {
    shift: Option<String>,
    posts: BTreeMap<Person, Post>,
    waiting: BTreeSet<PatronNo>,
    squeezes: Vec<(PatronNo, u8)>,
    disputes: BTreeMap<DisputeNo, bool>,
    retired: BTreeSet<ShoeNo>,
}

impl Heard {
    #[expect(clippy::wildcard_enum_match_arm, reason = "of all events, these are about it")]
    fn hear(&mut self, event: &Event) {
        match event {
            Event::ShiftStarted { name } => self.shift = Some(name.to_string()),
            Event::PostTaken { person, post } => drop(self.posts.insert(person.clone(), *post)),
            Event::PostLeft { person, .. } => drop(self.posts.remove(person)),
            Event::ChoiceOffered { patrons, .. } => self.waiting = patrons.iter().copied().collect(),
            Event::ChoiceMade { patron, choice, .. } => {
                self.waiting.remove(patron);
                // Who has no bet any more has not the highest one.
                self.squeezes.retain(|(by, _)| by != patron || *choice == Choice::Continue);
            }
            Event::SqueezeAsked { patron, card, .. } => self.squeezes.push((*patron, *card)),
            Event::SqueezeAnswered { patron, card, .. } => self.squeezes.retain(|it| *it != (*patron, *card)),
            Event::DisputeOpened { dispute, .. } => drop(self.disputes.insert(*dispute, false)),
            Event::DisputeBundled { dispute, .. } => drop(self.disputes.insert(*dispute, true)),
            Event::DisputeClosed { dispute, .. } => drop(self.disputes.remove(dispute)),
            Event::ShoeRetired { shoe, .. } => drop(self.retired.insert(*shoe)),
            Event::ShoeReconciled { shoe, .. } => drop(self.retired.remove(shoe)),
            _ => {}
        }
    }
}

#[test]
fn what_is_asked_of_the_floor_is_what_the_record_says() {
    let (mut asked, mut squeezes, mut disputes, mut posts, mut uncounted) = (0, 0, 0, 0, 0);
    for scenario in scenarios() {
        let mut heard = Heard::default();
        after_each(&orders(&played(&scenario.name, &scenario.text)), |commit| {
            commit.events.iter().for_each(|event| heard.hear(event));
            let state = commit.after.state();
            let Some(round) = state.round() else {
                heard.waiting.clear();
                heard.squeezes.clear();
                return told(commit.after.view(DEALER).floor.expect("the console sees the floor"), &heard);
            };
            // A matter that came up in between keeps the question open; anything else ends it.
            if !matches!(round.stage, Stage::Choosing { .. } | Stage::Held { .. }) {
                heard.waiting.clear();
            }
            heard.squeezes.retain(|(_, card)| usize::from(*card) > round.drawn.len());
            let floor = commit.after.view(DEALER).floor.expect("the console sees the floor");
            asked += floor.waiting.len();
            squeezes += floor.squeezes.len();
            disputes += floor.disputes.len();
            posts += floor.posts.len();
            uncounted += floor.uncounted.len();
            told(floor, &heard);
        });
    }
    for (what, seen) in [("choices", asked), ("squeezes", squeezes), ("retired sets", uncounted)] {
        assert!(seen > 5, "{what}: {seen}");
    }
    assert!(disputes > 0 && posts > 0, "{disputes} disputes, {posts} posts");
}

fn told(floor: FloorView<'_>, heard: &Heard) {
    assert_eq!(floor.shift, heard.shift.as_deref());
    let posts: Vec<_> = heard.posts.iter().map(|(person, post)| (person, *post)).collect();
    assert_eq!(floor.posts, posts);
    assert_eq!(floor.waiting, heard.waiting.iter().copied().collect::<Vec<_>>());
    let squeezes: Vec<_> = floor.squeezes.iter().map(|it| (it.patron, it.card)).collect();
    assert_eq!(squeezes, heard.squeezes);
    let disputes: BTreeMap<_, _> = floor.disputes.iter().map(|it| (it.dispute, it.bundled)).collect();
    assert_eq!(disputes, heard.disputes);
    assert_eq!(floor.uncounted, heard.retired.iter().copied().collect::<Vec<_>>());
}

/// A side bet outside its range is flagged when it is recorded, and shown for as long as it lies there.
#[test]
fn side_bets_outside_their_range_are_shown() {
    let mut flagged: BTreeMap<(PatronNo, BetId), _> = BTreeMap::new();
    let mut seen = 0;
    for scenario in scenarios() {
        flagged.clear();
        after_each(&orders(&played(&scenario.name, &scenario.text)), |commit| {
            for event in &commit.events {
                if let Event::ChipsRecorded { patron, bet, .. } | Event::WagerReturned { patron, bet, .. } =
                    event
                {
                    flagged.remove(&(*patron, bet.clone()));
                }
                if let Event::SideBetFlagged { patron, bet, stake, minimum, maximum, .. } = event {
                    flagged.insert((*patron, bet.clone()), (*stake, *minimum, *maximum));
                }
            }
            if commit.after.state().round().is_none() {
                flagged.clear();
            }
            let wagers = commit.after.view(DEALER).wagers.expect("the console sees wagers");
            let shown = wagers.iter().filter_map(|it| {
                let range = it.outside?;
                Some(((it.patron, it.bet.clone()), (it.stake, range.minimum, range.maximum)))
            });
            assert_eq!(shown.collect::<BTreeMap<_, _>>(), flagged, "{}", scenario.name);
            seen += flagged.len();
        });
    }
    assert!(seen > 0, "no side bet outside its range");
}

/// What is printed about who decides is who is asked to.
#[test]
#[expect(clippy::wildcard_enum_match_arm, reason = "every other report is decided as printed")]
fn who_decides_is_who_was_printed_to() {
    let mut in_time = 0;
    for scenario in scenarios() {
        after_each(&orders(&played(&scenario.name, &scenario.text)), |commit| {
            let Some(printed) = commit.after.printed() else { return };
            for event in &commit.events {
                let Event::MatterOpened { kind, holds, decides, report, .. } = event else { continue };
                // Nobody reports these: one is found when cards are confirmed, one by the record itself.
                let found = match report {
                    Report::CardsInDispute { .. } => Some(Some(Post::PitSupervisor)),
                    Report::ShoeExhausted { left: None } => Some(None),
                    // Where the paragraph names no errors made through the House (interpretation 42).
                    Report::BetPlacedInError { through: Some(_), .. } if decides.is_some() => {
                        Some(Some(Post::ShiftManager))
                    }
                    _ => None,
                };
                if let Some(found) = found {
                    assert_eq!(*decides, found, "{}: {kind:?}", scenario.name);
                    continue;
                }
                let Some(clause) = printed.irregularities.iter().find(|it| it.kind == *kind) else {
                    continue;
                };
                let soon = clause.decides_in_time.filter(|_| *holds);
                assert_eq!(soon.or(clause.decides), *decides, "{}: {kind:?}", scenario.name);
                in_time += usize::from(soon.is_some());
                assert!(soon.is_none() || *kind == IrregularityKind::WrongResult);
            }
        });
    }
    assert!(in_time > 3, "only {in_time} wrong results in time");
}

/// Whatever report a table takes could be seen to be in place before, and what has no particulars is taken if it could.
#[test]
fn what_is_reportable_is_what_the_table_takes() {
    let plain = [
        Report::TechnicalInterruption { cause: None },
        Report::NotShuffled {},
        Report::FaceUp { cards: Vec::new() },
    ];
    let words = [
        Report::OtherDealingError { words: "something".into() },
        Report::Uncovered { words: "something".into() },
        Report::ShoeExhausted { left: Some(0) },
    ];
    let (mut taken, mut refused, mut asked) = (BTreeSet::new(), 0, 0);
    for scenario in scenarios() {
        let look = |table: &Table, next: &Order| {
            let post = Post::Dealer;
            // INTERPRETATION 46: where posts are held, somebody who holds one; screens are shown to a post.
            let state = table.state();
            let is_held = state.settings.as_ref().is_some_and(|it| it.posts == PostsBy::Held);
            let holder = state.posts.keys().next().filter(|_| is_held).cloned();
            if is_held && holder.is_none() {
                return;
            }
            let by = Actor::Staff { person: holder.unwrap_or_else(|| "somebody".into()), post };
            let floor = table.view(Audience::Console { post }).floor.expect("the console sees the floor");
            let told = |report: &Report| floor.reportable.contains(&report.kind());
            let give = |report: &Report| {
                let mut id = next.id.clone();
                id.device = "somewhere".into();
                let command = Command::Report { report: report.clone() };
                table.decide(
                    &Order { id, by: by.clone(), at: next.at, round: None, command },
                    &Given::default(),
                )
            };
            if let Command::Report { report } = &next.command
                && give(report).is_ok()
            {
                assert!(told(report), "{}: {report:?}", scenario.name);
                taken.insert(report.kind());
            }
            asked += 1;
            if asked % 5 == 0 {
                for report in plain.iter().chain(&words) {
                    let done = give(report);
                    assert_eq!(done.is_ok(), told(report), "{}: {report:?} {done:?}", scenario.name);
                    refused += usize::from(done.is_err());
                }
            }
        };
        walk(&orders(&played(&scenario.name, &scenario.text)), look, |_| {});
    }
    assert!(taken.len() > 14 && refused > 100, "{taken:?} taken, {refused} refused");
}
