//! Who works here and as what, and who signs for an order.

use punto_record::{Actor, CommandKind, Order, Person};
use punto_rules::Post;

/// A Duty Manager whom insiders name without a word to them.
pub(crate) const NEVER_ASKED: &str = "p-7";

/// A Duty Manager who signs whatever a colleague's console shows.
pub(crate) const SIGNS_BLINDLY: &str = "p-8";

/// A Pit Supervisor: too low a post to agree to what the house does.
pub(crate) const JUNIOR: &str = "p-2";

/// The Administrators.
pub(crate) const OFFICE: [&str; 2] = ["o-1", "o-2"];

/// Those who may agree to what the house does, and are asked.
pub(crate) const OF_STANDING: [&str; 4] = ["o-1", "o-2", "p-5", "p-6"];

/// How an insider gets an order past the server that should have stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deceit {
    /// The second person whom the order names knows nothing of it.
    SecondNotAsked,
    /// The session of the giver was left open: they gave no password.
    GiverDidNotSign,
    /// The order names the deed of somebody in a higher post.
    DeedOfAnother,
    /// The order names no second person.
    Alone,
    /// The order names its giver as the second person.
    Oneself,
    /// The second person signs, and has no post on the floor.
    SecondHasNoPost,
}

impl Deceit {
    /// As it is counted.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Deceit::SecondNotAsked => "second-not-asked",
            Deceit::GiverDidNotSign => "giver-did-not-sign",
            Deceit::DeedOfAnother => "deed-of-another",
            Deceit::Alone => "alone",
            Deceit::Oneself => "oneself",
            Deceit::SecondHasNoPost => "junior",
        }
    }
}

/// Everybody who works here, and as what: each acts by a deed.
pub(crate) const STAFF: [(&str, &str); 12] = [
    ("o-1", "administrator"),
    ("o-2", "administrator"),
    ("p-1", "dealer"),
    ("p-2", "pit-supervisor"),
    ("p-3", "dealer"),
    ("p-4", "pit-manager"),
    ("p-5", "shift-manager"),
    ("p-6", "duty-manager"),
    (NEVER_ASKED, "duty-manager"),
    (SIGNS_BLINDLY, "duty-manager"),
    ("c-1", "cashier"),
    ("a-1", "auditor"),
];

fn role(person: &Person) -> Option<&'static str> {
    STAFF.iter().find(|(it, _)| *it == person.as_str()).map(|(_, role)| *role)
}

/// A person in the role or post that they are employed in.
pub(crate) fn works_as(person: &Person) -> Actor {
    let person = person.clone();
    match role(&person) {
        Some("administrator") => Actor::Administrator { person },
        Some("cashier") => Actor::Cashier { person },
        Some("auditor") => Actor::Auditor { person },
        role => {
            let post = Post::ALL.into_iter().find(|post| Some(post.id()) == role).unwrap_or(Post::Dealer);
            Actor::Staff { person, post }
        }
    }
}

/// Whether a house lets nobody in this person's role work without a second factor.
pub(crate) fn must_have_factor(person: &Person) -> bool {
    matches!(role(person), Some("administrator" | "pit-manager" | "shift-manager" | "duty-manager"))
}

/// Who signs for an order: where it takes a signature its giver, and the second person that it names. Who is deceived
/// does not.
pub(super) fn signers(order: &Order, deceit: Option<Deceit>) -> Vec<Actor> {
    let signed = matches!(
        order.command.kind(),
        CommandKind::Rule | CommandKind::RuleCarriedCards | CommandKind::AmendWager
    );
    let second = order.command.second();
    let giver = order.by.person().filter(|_| signed || second.is_some()).map(|_| order.by.clone());
    let giver = giver.filter(|_| deceit != Some(Deceit::GiverDidNotSign));
    let second = second.filter(|_| deceit != Some(Deceit::SecondNotAsked)).map(works_as);
    giver.into_iter().chain(second).collect()
}
