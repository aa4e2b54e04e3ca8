//! Disputes: whose they are, what the next Round waits for, and who decides them (interpretation 43).

use std::collections::BTreeSet;
use std::sync::Arc;

use punto_record::{
    BoxNo, Digest, DisputeAbout, DisputeNo, Event, MatterNo, Pictured, Reason, Report, RoundNo,
};
use punto_rules::{Cite, Money, PatronNo, Post};

use super::{Decided, has_reason, report, second};
use crate::draft::Draft;
use crate::law::Law;
use crate::round::WagerKey;
use crate::state::{Dispute, State};

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
    (about, box_no): (Option<DisputeAbout>, Option<BoxNo>),
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
    if round.zip(patron).is_some_and(|(round, patron)| bettors.has_disputed(round, patron)) {
        return Err(Reason::DisputeKnown {}.under(&own));
    }
    box_no.map_or(Ok(()), |no| is_box(draft.law, no))?;
    if round.is_some_and(|round| !is_theirs(&round)) {
        return Err(Reason::NoSuchWager {}.under(&own));
    }
    let timely = round.is_some() && round == disputable;
    // Once the next Round has commenced nothing could be put right any more (5.6): it is decided before.
    let is_last_chance = draft.law.earlier_rounds_stand().is_some();
    let seconds = (timely && !is_last_chance).then_some(draft.law.settings.dispute_seconds);
    let dispute = state.dispute_no.next();
    let pictured = match (about, round, patron) {
        (Some(_), Some(round), Some(patron)) => picture(state, round, patron, box_no),
        (_, _, _) => Vec::new(),
    };
    let words = words.clone();
    draft.push(Event::DisputeOpened { dispute, round, patron, words, timely, seconds, about, pictured });
    Ok(())
}

fn is_box(law: &Law, no: BoxNo) -> Decided {
    let layout = &law.terms.layout().cite;
    match law.settings.boxes {
        None => Err(Reason::NoBoxes {}.under(layout)),
        Some(boxes) if !(1..=boxes).contains(&no.0) => Err(Reason::NoSuchBox { boxes }.under(layout)),
        Some(_) => Ok(()),
    }
}

/// What the record says now about the wagers of a Round: in every box in which the patron has one, and in the box that
/// is named. Without boxes it is the patron's own.
// INTERPRETATION 51: whoever rules later sees what the record said then.
fn picture(state: &State, round: RoundNo, patron: PatronNo, named: Option<BoxNo>) -> Vec<Pictured> {
    let pictured = |key: &WagerKey, stake: Money| Pictured {
        patron: key.patron,
        box_no: key.box_no,
        bet: key.bet.clone(),
        stake,
    };
    let in_play = state.round().filter(|it| it.no == round);
    let all: Vec<Pictured> = match in_play {
        Some(round) => round.wagers.iter().map(|(key, it)| pictured(key, it.stake)).collect(),
        None => {
            let over = state.earlier.get(round);
            over.into_iter().flat_map(|over| &over.wagers).map(|it| pictured(&it.key, it.stake)).collect()
        }
    };
    let own: BTreeSet<BoxNo> =
        all.iter().filter(|it| it.patron == patron).filter_map(|it| it.box_no).collect();
    let is_shown = |it: &Pictured| match it.box_no {
        Some(no) => own.contains(&no) || named == Some(no),
        None => it.patron == patron,
    };
    let mut shown: Vec<Pictured> = all.into_iter().filter(is_shown).collect();
    shown.sort_by(|a, b| (a.box_no, a.patron, &a.bet).cmp(&(b.box_no, b.patron, &b.bet)));
    shown
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
