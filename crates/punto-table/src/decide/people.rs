//! Terminals, posts, shifts, the clock.

use punto_record::{Command, Event, Order, Person, PostsBy, Reason, Rejection, ShiftName, Timestamp};
use punto_rules::{Cite, IrregularityKind, PatronNo, Post};

use super::{Decided, has_reason};
use crate::draft::Draft;
use crate::law::Law;
use crate::state::State;

/// A terminal that cannot be reached changes nothing about the Round: what is registered plays (electronic 5.2).
// INTERPRETATION 22: registered means durably recorded; an unregistered bet never left the balance.
fn lose_terminal(state: &State, law: &Law, patron: PatronNo) -> Result<Vec<Event>, Rejection> {
    if state.account(patron).is_some_and(|account| account.lost) {
        return Err(Reason::Nothing {}.into());
    }
    let cite = law.cite(IrregularityKind::TerminalInterruption).cloned();
    Ok(vec![Event::TerminalLost { patron, cite }])
}

fn restore_terminal(state: &State, patron: PatronNo) -> Result<Vec<Event>, Rejection> {
    if !state.account(patron).is_some_and(|account| account.lost) {
        return Err(Reason::Nothing {}.into());
    }
    Ok(vec![Event::TerminalRestored { patron }])
}

/// Decides about a terminal that went or came back; `None` if the order is none of that. Thousands may go at once.
pub(crate) fn terminal(state: &State, law: &Law, order: &Order) -> Option<Result<Vec<Event>, Rejection>> {
    if let Command::LoseTerminal { patron } = order.command {
        return Some(lose_terminal(state, law, patron));
    }
    if let Command::RestoreTerminal { patron } = order.command {
        return Some(restore_terminal(state, patron));
    }
    None
}

pub(super) fn take_post(draft: &mut Draft<'_>, person: &Person, post: Post) -> Decided {
    if is_held(draft) {
        assigns(draft, person, post)?;
    } else if draft.by.post().is_some_and(|own| own < post) {
        // A post is given by an Administrator, or by somebody whose own is not below it.
        return Err(Reason::NotPermitted { least: Some(post) }.into());
    }
    has_reason(person.as_str())?;
    draft.push(Event::PostTaken { person: person.clone(), post });
    Ok(())
}

pub(super) fn leave_post(draft: &mut Draft<'_>, person: &Person, post: Post) -> Decided {
    if draft.state.posts.get(person) != Some(&post) {
        return Err(Reason::Nothing {}.into());
    }
    if is_held(draft) && draft.person() != Some(person) && own(draft) <= Some(post) {
        return Err(not_above(post));
    }
    draft.push(Event::PostLeft { person: person.clone(), post });
    Ok(())
}

fn is_held(draft: &Draft<'_>) -> bool {
    draft.law.settings.posts == PostsBy::Held
}

/// The post that whoever gives the order holds here.
fn own(draft: &Draft<'_>) -> Option<Post> {
    draft.state.posts.get(draft.person()?).copied()
}

fn not_above(post: Post) -> Rejection {
    let least = if post.may_be_acting() { post.above() } else { Some(post) };
    Reason::NotPermitted { least }.under(&Cite::interpretation(46))
}

// INTERPRETATION 46: a higher post assigns a Dealer to a Pit Manager for the shift, whatever their grade; from Shift Manager
// up one takes only the post that one is employed in.
fn assigns(draft: &Draft<'_>, person: &Person, post: Post) -> Decided {
    let takes_own = draft.person() == Some(person) && draft.by.post() == Some(post);
    let may = if post.may_be_acting() { own(draft) > Some(post) } else { takes_own };
    if may { Ok(()) } else { Err(not_above(post)) }
}

/// A shift begins. Posts were held for the shift before; what is open waits for whoever comes.
// INTERPRETATION 46: open matters pass to the successor.
pub(super) fn start_shift(draft: &mut Draft<'_>, name: &ShiftName) -> Decided {
    if is_held(draft) && own(draft) < Some(Post::ShiftManager) {
        return Err(not_above(Post::ShiftManager));
    }
    has_reason(name.as_str())?;
    if is_held(draft) {
        let giver = draft.person().cloned();
        let posts =
            draft.state.posts.clone().into_iter().filter(|(person, _)| Some(person) != giver.as_ref());
        posts.for_each(|(person, post)| draft.push(Event::PostLeft { person, post }));
    }
    draft.push(Event::ShiftStarted { name: name.clone() });
    Ok(())
}

pub(super) fn note_clock(draft: &mut Draft<'_>, from: Timestamp, to: Timestamp) -> Decided {
    draft.push(Event::ClockJumped { from, to });
    Ok(())
}
