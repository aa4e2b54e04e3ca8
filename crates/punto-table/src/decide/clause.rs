//! What the rule book says about a matter: the remedy, and who decides.

use punto_record::{Reason, Report};
use punto_rules::{ChoiceOffered, Cite, Irregularity, IrregularityKind, Post, Remedy, ShoeAfter};

use super::Decided;
use crate::law::Law;
use crate::round::Matter;
use crate::state::State;

/// Who decides where the rule book names nobody (interpretation 24: the House's discretion).
const BY_DEFAULT: Post = Post::PitSupervisor;

/// What the rule book says about a matter.
pub(crate) struct Clause {
    pub(super) kind: IrregularityKind,
    pub(crate) cite: Cite,
    pub(super) remedy: Remedy,
    decides: Option<Post>,
    pub(crate) second_person: bool,
    pub(super) choice: Option<ChoiceOffered>,
    shoe: Option<ShoeAfter>,
}

impl Clause {
    /// The least post that decides.
    pub(crate) fn least(&self) -> Post {
        self.decides.unwrap_or(BY_DEFAULT)
    }

    /// Whether the cards may be replaced by whoever decides.
    // INTERPRETATION 26: from the next card on, and never to escape an empty shoe.
    pub(crate) fn may_replace(&self, state: &State, law: &Law) -> Decided {
        if self.shoe != Some(ShoeAfter::MayReplace) || state.round().is_none() {
            return Err(Reason::NoReplacement {}.under(&self.cite));
        }
        let is_empty = state.shoe.as_ref().is_none_or(|shoe| shoe.left() == 0);
        if is_empty && !law.is_continuous() {
            return Err(Reason::NoReplacement {}.under_some(law.cite(IrregularityKind::ShoeExhausted)));
        }
        Ok(())
    }
}

/// Whether a bet was placed in error through the House, and the paragraph speaks of the patron's own errors only: that of a
/// game in which nobody bets for a patron (electronic 5.9; 5.14/5.13 name the House).
// INTERPRETATION 42: a staff error is not the patron's.
pub(super) fn is_not_named(law: &Law, report: &Report) -> bool {
    let through_house = matches!(report, Report::BetPlacedInError { through: Some(_), .. });
    through_house && law.rulebook.conduct.pit_employee_bets.is_none()
}

/// Who decides a matter that the rule book leaves to nobody and a reading to somebody, and by which paragraph or reading.
pub(super) fn by_reading(law: &Law, report: &Report) -> Option<(Post, Cite)> {
    // INTERPRETATION 31: which cards are out is ruled before 5.4 (electronic 5.1) is applied.
    if let Report::CardsInDispute { .. } = report {
        return Some((BY_DEFAULT, Cite::interpretation(31)));
    }
    if is_not_named(law, report) {
        return Some((Post::ShiftManager, law.uncovered()));
    }
    // INTERPRETATION 38: what a device holds is seen by a Pit Supervisor.
    if let Report::ShoeExhausted { left: Some(_) } = report {
        let cite = law.cite(IrregularityKind::ShoeExhausted).cloned();
        return Some((BY_DEFAULT, cite.unwrap_or_else(|| law.uncovered())));
    }
    None
}

/// What the rule book says about a matter.
pub(crate) fn clause(law: &Law, matter: &Matter) -> Clause {
    if let Some((post, cite)) = by_reading(law, &matter.report) {
        let named = law.rulebook.irregularity(matter.kind).map_or(Remedy::Void, |it| it.remedy);
        let remedy = if is_not_named(law, &matter.report) { Remedy::Ruling } else { named };
        return Clause {
            kind: matter.kind,
            cite,
            remedy,
            decides: Some(post),
            second_person: false,
            choice: None,
            shoe: None,
        };
    }
    let Some(found) = law.irregularity(matter.kind) else {
        let (kind, cite) = (IrregularityKind::Uncovered, law.uncovered());
        let decides = Some(Post::ShiftManager);
        return Clause {
            kind,
            cite,
            remedy: Remedy::Ruling,
            decides,
            second_person: false,
            choice: None,
            shoe: None,
        };
    };
    let in_time = matter.holds && decides_in_time(found).is_some();
    Clause {
        kind: found.kind,
        cite: law.cite_in_time(found.kind, in_time).unwrap_or_else(|| found.cite.clone()),
        remedy: found.in_time.filter(|_| in_time).unwrap_or(found.remedy),
        decides: found.decides.filter(|_| !in_time),
        second_person: found.second_person && !in_time,
        choice: found.choice,
        shoe: found.shoe,
    }
}

/// Who decides about what a person reports; nobody where the rules leave nothing to decide.
pub(crate) fn decides(found: &Irregularity) -> Option<Post> {
    // INTERPRETATION 38: only what the record itself shows needs nobody.
    let is_seen = found.kind == IrregularityKind::ShoeExhausted;
    found.decides.or_else(|| is_seen.then_some(BY_DEFAULT))
}

/// Who decides about what is noticed in time, if that is not for whoever decides late.
// A wrong result that was noticed in time is corrected; who decides late matters is for late ones.
pub(crate) fn decides_in_time(found: &Irregularity) -> Option<Post> {
    (found.kind == IrregularityKind::WrongResult && found.in_time.is_some()).then_some(BY_DEFAULT)
}
