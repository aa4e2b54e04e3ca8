//! What those who work at a table must know beside cards and money: who is there, and what is asked of them.

use punto_record::{
    Actor, CommandKind, DisputeAbout, DisputeNo, Person, Pictured, RoundNo, ShiftName, ShoeNo, Timestamp,
};
use punto_rules::{IrregularityKind, PatronNo, Post, Side};
use serde::Serialize;

use crate::audience::Audience;
use crate::decide::{is_theirs, reportable};
use crate::gate::gate;
use crate::law::Law;
use crate::round::{Round, Stage};
use crate::state::{Dispute, State};

/// Who works at a table, and what is asked of them.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FloorView<'a> {
    /// The shift, by its name.
    pub shift: Option<&'a str>,
    /// Who has taken which post.
    pub posts: Vec<(&'a Person, Post)>,
    /// Patrons who were asked to choose and have not answered.
    pub waiting: Vec<PatronNo>,
    /// Who accepts which Hand.
    pub accepting: Vec<(Side, PatronNo)>,
    /// The float is covered; nobody is at the table.
    pub float_covered: bool,
    /// Squeezes that nobody has answered, of cards that are still in the shoe.
    pub squeezes: Vec<SqueezeView>,
    /// Disputes that are not closed.
    pub disputes: Vec<DisputeView<'a>>,
    /// What can be reported now by whoever looks.
    pub reportable: Vec<IrregularityKind>,
    /// Sets out of use that are still to be counted.
    pub uncounted: Vec<ShoeNo>,
    /// Cards that can be said now to have been keyed wrongly, counted from 1 in drawing order, each with the least post
    /// that may say so.
    pub correctable: Vec<(u16, Post)>,
    /// How many cards each Dealer alone said were keyed wrongly, in this shift; pit and auditor.
    pub miskeyed: Vec<(&'a Person, u32)>,
}

/// Somebody would like to squeeze a card.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct SqueezeView {
    pub patron: PatronNo,
    pub card: u8,
}

/// A dispute that is not closed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct DisputeView<'a> {
    pub dispute: DisputeNo,
    pub round: Option<RoundNo>,
    pub patron: Option<PatronNo>,
    pub words: &'a str,
    /// Whether what the record says about it was bundled.
    pub bundled: bool,
    /// Whether a Pit Supervisor or above has seen it.
    pub seen: bool,
    /// What the next Round waits for, if it does.
    pub waits: Option<DisputeWaits>,
    /// It was recorded late, and a recording shows that it was spoken in time.
    pub spoken: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<DisputeAbout>,
    /// The wagers that it is about, as they were recorded when it was raised; one's own at a terminal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictured: Vec<&'a Pictured>,
}

/// What the next Round waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "for", rename_all = "kebab-case")]
pub enum DisputeWaits {
    /// Somebody decides it.
    Decided {},
    /// A Pit Supervisor sees it, or this time passes.
    Seen {
        /// Until when.
        until: Timestamp,
    },
}

pub(super) fn dispute<'a>(
    state: &State,
    no: DisputeNo,
    it: &'a Dispute,
    only: Option<PatronNo>,
) -> DisputeView<'a> {
    let is_shown = |wager: &&Pictured| only.is_none_or(|only| wager.patron == only);
    let until = it.since.zip(it.seconds).map(|(since, seconds)| since.plus_seconds(seconds));
    let is_now = it.timely && !it.seen && it.round == Some(state.rounds);
    let seen = until.filter(|_| is_now).map(|until| DisputeWaits::Seen { until });
    DisputeView {
        dispute: no,
        round: it.round,
        patron: it.patron,
        words: &it.words,
        bundled: it.bundle.is_some(),
        seen: it.seen,
        waits: if it.must_be_decided() { Some(DisputeWaits::Decided {}) } else { seen },
        spoken: it.spoken,
        about: it.about,
        pictured: it.pictured.iter().filter(is_shown).collect(),
    }
}

pub(super) fn floor<'a>(state: &'a State, law: Option<&Law>, audience: Audience) -> FloorView<'a> {
    let disputes = state.disputes.iter().map(|(no, it)| dispute(state, *no, it, None));
    let uncounted = state.retired.iter().filter(|it| !it.reconciled);
    FloorView {
        shift: state.shift.as_ref().map(ShiftName::as_str),
        posts: state.posts.iter().map(|(person, post)| (person, *post)).collect(),
        waiting: state.round().map_or_else(Vec::new, waiting),
        accepting: state.round().map_or_else(Vec::new, |round| {
            let both = [Side::Player, Side::Banker].into_iter();
            both.filter_map(|side| round.accepting(side).map(|patron| (side, patron))).collect()
        }),
        float_covered: state.float_covered,
        squeezes: state.round().zip(law).map_or_else(Vec::new, |(round, law)| squeezes(round, law)),
        disputes: disputes.collect(),
        reportable: audience.actor().zip(law).map_or_else(Vec::new, |(by, law)| reported(state, law, &by)),
        uncounted: uncounted.map(|it| it.no).collect(),
        correctable: correctable(state, law),
        miskeyed: match audience {
            Audience::Pit { .. } | Audience::Auditor => {
                state.miskeyed.iter().map(|(person, count)| (person, *count)).collect()
            }
            Audience::Board | Audience::Terminal { .. } | Audience::Console { .. } | Audience::Cage => {
                Vec::new()
            }
        },
    }
}

fn reported(state: &State, law: &Law, by: &Actor) -> Vec<IrregularityKind> {
    match gate(state, Some(law), CommandKind::Report, by) {
        Ok(()) => reportable(state, law, by),
        Err(_) => Vec::new(),
    }
}

fn correctable(state: &State, law: Option<&Law>) -> Vec<(u16, Post)> {
    let superior = Actor::Staff { person: Person::as_recorded(""), post: Post::ShiftManager };
    let possible = gate(state, law, CommandKind::CorrectCard, &superior).is_ok();
    let round = state.round().filter(|_| possible);
    round.map_or_else(Vec::new, |round| {
        let alone = round.correctable_by_dealer();
        let least = |at| if alone == Some(at) { Post::Dealer } else { Post::PitSupervisor };
        round.correctable().map(|at| (at, least(at))).collect()
    })
}

fn waiting(round: &Round) -> Vec<PatronNo> {
    match &round.stage {
        Stage::Choosing { waiting, .. } | Stage::Held { waiting, .. } => waiting.iter().copied().collect(),
        Stage::Betting { .. }
        | Stage::Dealing {}
        | Stage::Unread {}
        | Stage::Confirming { .. }
        | Stage::Interrupted { .. } => Vec::new(),
    }
}

fn squeezes(round: &Round, law: &Law) -> Vec<SqueezeView> {
    let open = round.squeezes.iter().filter(|it| it.granted.is_none() && is_theirs(round, law, it));
    let to_come = open.filter(|it| usize::from(it.card) > round.drawn.len());
    to_come.map(|it| SqueezeView { patron: it.patron, card: it.card }).collect()
}
