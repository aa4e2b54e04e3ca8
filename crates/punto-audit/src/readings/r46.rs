//! Interpretation 46: where posts are held, every order of a post came from somebody who held it or a higher one in the
//! running shift, and every post was assigned by a higher one or, from Shift Manager up, taken by whoever is employed in it.
//! In a house posts are held at every table.

use punto_record::{Actor, Command, Entry, Event, Person, PostsBy};
use punto_rules::Post;

use super::house::HousePast;
use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 46;

/// Checks who gave an order, and that a house asks.
pub(super) fn check(house: &HousePast, past: &Past, entry: &Entry, out: &mut Findings) {
    if house.is_house() {
        entry.events.iter().for_each(|event| held_in_a_house(past, event, out));
    }
    // The first release had no such setting: whoever was signed in gave orders.
    let is_asked = entry.release.is_first()
        || past.settings.as_ref().is_some_and(|settings| settings.posts == PostsBy::Held);
    let opens = matches!(entry.order.command, Command::OpenTable { .. });
    if !is_asked || opens {
        return;
    }
    let held = |person: &Person| past.posts.get(person).copied();
    let giver = entry.order.by.person();
    let comes = |person: &Person, post: Post| {
        Some(person) == giver && entry.order.by.post() == Some(post) && post >= Post::ShiftManager
    };
    if let Actor::Staff { person, post } = &entry.order.by {
        let begins =
            matches!(&entry.order.command, Command::TakePost { person, post } if comes(person, *post));
        let holds = begins || held(person) >= Some(*post);
        out.interpreted(NO, holds, "an order of a post that its giver does not hold in the running shift");
    }
    for event in &entry.events {
        if let Event::PostTaken { person, post } = event {
            let assigned = *post < Post::ShiftManager && giver.and_then(held) > Some(*post);
            out.interpreted(NO, assigned || comes(person, *post), "a post that no higher post assigned");
        }
        if let Event::ShiftStarted { .. } = event {
            let left =
                |it: &Event, who: &Person| matches!(it, Event::PostLeft { person, .. } if person == who);
            let others = past.posts.keys().filter(|person| Some(*person) != giver);
            let mut stays = others.filter(|who| !entry.events.iter().any(|it| left(it, who)));
            out.interpreted(NO, stays.next().is_none(), "a post outlived its shift");
        }
    }
}

/// In a house no table is opened and no Round commences where whoever is signed in counts as holding their post.
#[allow(clippy::wildcard_enum_match_arm)] // Nothing else is done by settings, or changes them.
fn held_in_a_house(past: &Past, event: &Event, out: &mut Findings) {
    let settings = match event {
        Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } => Some(settings),
        Event::BetsOpened { .. } => past.settings.as_ref(),
        _ => return,
    };
    let holds = settings.is_none_or(|settings| settings.posts == PostsBy::Held);
    out.interpreted(NO, holds, "a table of a house where posts are not held");
}
