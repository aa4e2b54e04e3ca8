//! Disputes: whose they are, what the next Round waits for, and who decides them (interpretation 43).

use std::sync::Arc;

use punto_record::{Digest, DisputeNo, Event, MatterNo, Reason, Report, RoundNo};
use punto_rules::{Cite, PatronNo, Post};

use super::{Decided, has_reason, report, second};
use crate::draft::Draft;
use crate::state::Dispute;

/// The number of the interpretation, which is what its events and refusals cite.
const TIMELY: u8 = 43;

/// Somebody with a wager in a Round disputes it, or has the Dealer record it; once a patron and Round.
// INTERPRETATION 43: in time until the next Round commences. Where no Round is named, it is about the one in which the
// patron has just had a wager; a claim about anything else is about no Round, and nothing waits for it.
pub(super) fn open(
    draft: &mut Draft<'_>,
    round: Option<RoundNo>,
    patron: Option<PatronNo>,
    words: &Arc<str>,
) -> Decided {
    if round.is_some_and(|round| round == RoundNo(0) || round > draft.state.rounds) {
        return Err(Reason::NoSuchRound {}.into());
    }
    has_reason(words)?;
    let (state, own) = (&draft.state, Cite::interpretation(TIMELY));
    let disputable = state.disputable();
    let bettors = &state.bettors;
    let is_theirs = |round: &RoundNo| patron.is_some_and(|patron| bettors.had_wager(*round, patron));
    let round = round.or_else(|| disputable.filter(is_theirs));
    if let Some(round) = round {
        if patron.is_some_and(|patron| bettors.has_disputed(round, patron)) {
            return Err(Reason::DisputeKnown {}.under(&own));
        }
        if !is_theirs(&round) {
            return Err(Reason::NoSuchWager {}.under(&own));
        }
    }
    let timely = round.is_some() && round == disputable;
    // Once the next Round has commenced nothing could be put right any more (5.6): it is decided before.
    let is_last_chance = draft.law.earlier_rounds_stand().is_some();
    let seconds = (timely && !is_last_chance).then_some(draft.law.settings.dispute_seconds);
    let dispute = state.dispute_no.next();
    draft.push(Event::DisputeOpened { dispute, round, patron, words: words.clone(), timely, seconds });
    Ok(())
}

pub(super) fn bundle(draft: &mut Draft<'_>, dispute: DisputeNo, digest: Digest) -> Decided {
    find(draft, dispute)?;
    draft.push(Event::DisputeBundled { dispute, digest });
    Ok(())
}

/// A Pit Supervisor has seen a dispute, and play need not wait any longer; or a recording shows that one which was
/// recorded late had been spoken in time.
// INTERPRETATION 43: where the Dealer opened over a spoken dispute and earlier Rounds stand, the Shift Manager rules (5.18).
pub(super) fn see(draft: &mut Draft<'_>, dispute: DisputeNo, surveillance: Option<&Arc<str>>) -> Decided {
    let it = find(draft, dispute)?;
    let nothing_new = match surveillance {
        Some(_) => it.timely || it.spoken,
        None => it.seen,
    };
    if let Some(reference) = surveillance {
        it.round.ok_or(Reason::NoSuchRound {})?;
        has_reason(reference)?;
    }
    if nothing_new {
        return Err(Reason::Nothing {}.into());
    }
    let (patron, cite) = (it.patron, Cite::interpretation(TIMELY));
    draft.push(Event::DisputeSeen { dispute, patron, surveillance: surveillance.cloned(), cite });
    if let (Some(_), Some(_), Some(round)) = (surveillance, draft.law.earlier_rounds_stand(), it.round) {
        let words = format!("dispute {dispute} about Round {round} was spoken in time: {}", it.words);
        report::open(draft, Report::Uncovered { words: words.into() }, false);
    }
    Ok(())
}

/// What was decided. What play waits for is decided by a Pit Supervisor who did not deal, everything else by the Shift
/// Manager.
// INTERPRETATION 43: before the next Round commences the rules leave decisions to the Pit Supervisor or above (5.8, 5.11);
// what comes later is not provided for (5.18/5.17, ETG 5.12).
pub(super) fn close(
    draft: &mut Draft<'_>,
    dispute: DisputeNo,
    words: &Arc<str>,
    matter: Option<MatterNo>,
) -> Decided {
    let it = find(draft, dispute)?;
    let least = if it.must_be_decided() { Post::PitSupervisor } else { Post::ShiftManager };
    if draft.by.post().is_none_or(|post| post < least) {
        return Err(Reason::NotPermitted { least: Some(least) }.into());
    }
    if let Some(no) = matter {
        let held = draft.state.round().map_or(&[][..], |round| round.matters());
        if held.iter().chain(&draft.state.matters).any(|open| open.no == no) {
            return Err(Reason::RulingPending { matter: no }.into());
        }
        if no == MatterNo(0) || no > draft.state.matter_no {
            return Err(Reason::NoSuchMatter {}.into());
        }
    }
    has_reason(words)?;
    if let Some(round) = it.round {
        second::did_not_deal(draft, round, draft.person())?;
    }
    draft.push(Event::DisputeClosed { dispute, words: words.clone(), patron: it.patron, matter });
    Ok(())
}

/// Whether the next Round may commence: whoever is to see a dispute has seen it, or had the time to.
pub(super) fn are_seen(draft: &Draft<'_>) -> Decided {
    match draft.state.unseen().filter(|(_, until)| draft.at < *until) {
        Some((dispute, _)) => Err(Reason::DisputeUnseen { dispute }.under(&Cite::interpretation(TIMELY))),
        None => Ok(()),
    }
}

fn find(draft: &Draft<'_>, dispute: DisputeNo) -> Result<Dispute, punto_record::Rejection> {
    draft.state.disputes.get(&dispute).cloned().ok_or(Reason::NoSuchDispute {}.into())
}
