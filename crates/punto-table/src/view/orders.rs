//! Which orders somebody may give now, and who else might. All of it is asked of the gate, as an order itself is.

use punto_record::{Actor, CommandKind, Person};
use punto_rules::{PatronNo, Post};

use crate::audience::Audience;
use crate::gate::{self, gate};
use crate::law::Law;
use crate::round::Stage;
use crate::state::State;

/// The kinds of orders that can be carried out now, by this audience, with the right figures in them.
pub(super) fn possible(state: &State, law: Option<&Law>, audience: Audience) -> Vec<CommandKind> {
    let Some(actor) = audience.actor() else { return Vec::new() };
    let gated = gated(state, law, &actor);
    match actor.patron() {
        None => gated.collect(),
        Some(patron) => {
            let means = Means::of(state, patron);
            gated.filter(|kind| !means.lack(*kind)).collect()
        }
    }
}

pub(super) fn gated(state: &State, law: Option<&Law>, actor: &Actor) -> impl Iterator<Item = CommandKind> {
    CommandKind::ALL.iter().copied().filter(move |kind| gate(state, law, *kind, actor).is_ok())
}

/// The orders that floor staff can give now, each with the least post that can: somebody may come and sign for it.
pub(super) fn least(state: &State, law: Option<&Law>) -> Vec<(CommandKind, Post)> {
    let staff = Post::ALL.map(|post| Actor::Staff { person: Person::as_recorded(""), post });
    // What the table has and where it stands is the same for all of them.
    let of_the_floor = CommandKind::ALL.iter().copied().filter(|kind| {
        kind.facts().by.from.is_some()
            && gate::means(law, *kind, &staff[0]).is_ok()
            && gate::moment(state, law, *kind).is_ok()
    });
    let least = |kind| {
        let first = staff.iter().find(|by| gate::person(state, law, kind, by).is_ok())?;
        Some((kind, first.post()?))
    };
    of_the_floor.filter_map(least).collect()
}

/// What a patron has and has not, for orders of their own.
pub(super) struct Means {
    wager: bool,
    credits: bool,
    question: bool,
}

impl Means {
    pub(super) fn of(state: &State, patron: PatronNo) -> Means {
        let round = state.round();
        Means {
            wager: round.is_some_and(|round| round.wagers.of(patron).next().is_some()),
            credits: !state.credits(patron).is_zero(),
            question: matches!(
                round.map(|round| &round.stage),
                Some(Stage::Choosing { waiting, .. }) if waiting.contains(&patron)
            ),
        }
    }

    /// Whether they lack what an order needs.
    pub(super) fn lack(&self, kind: CommandKind) -> bool {
        let needs_wager = matches!(kind, CommandKind::WithdrawWager | CommandKind::AskSqueeze);
        (kind == CommandKind::PlaceWager && !self.credits)
            || (needs_wager && !self.wager)
            || (kind == CommandKind::CashOut && (!self.credits || self.wager))
            || (kind == CommandKind::Choose && !self.question)
    }
}
