//! Who is employed as what, as the house's volume says: by which deed somebody may act.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use punto_record::{Actor, Anchor, CommandKind, Mandate, Mandates, Order, Person};
use punto_rules::Post;

/// What somebody is employed as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Employed {
    /// The role, by its word.
    pub role: Arc<str>,
    /// Whether they may come in at all.
    pub enabled: bool,
    /// The deed that says so, the last about this person.
    pub deed: Anchor,
}

impl Employed {
    /// Whether they may act as this: by their role, or on the floor by a post that they were given at the table.
    pub(crate) fn may_act(&self, by: &Actor, held: Option<Post>) -> bool {
        self.enabled
            && match by {
                Actor::Staff { post, .. } => {
                    self.post().is_some_and(|own| Some(own).max(held) >= Some(*post))
                }
                Actor::Cashier { .. } => &*self.role == "cashier",
                Actor::Auditor { .. } => &*self.role == "auditor",
                Actor::Administrator { .. } => &*self.role == "administrator",
                Actor::Patron { .. } | Actor::House | Actor::Acceptor { .. } => false,
            }
    }

    /// The post of the floor that the role is, if it is one.
    fn post(&self) -> Option<Post> {
        Post::ALL.into_iter().find(|post| post.id() == &*self.role)
    }
}

/// Everybody who was ever employed, for whoever must know it at once. Cloned, it is the same book.
#[derive(Clone, Debug, Default)]
pub struct StaffBook(Arc<RwLock<BTreeMap<Person, Employed>>>);

impl StaffBook {
    /// What somebody is employed as. Nothing while that is being changed: what they order then is refused, so that no entry
    /// names a deed that was superseded before the order was given.
    pub fn employed(&self, person: &Person) -> Option<Employed> {
        self.read().get(person).cloned()
    }

    /// By which deeds the people of an order act, where its giver holds this post at the table. `None` if one of them has no
    /// deed for it, or no member of staff gave it.
    pub fn mandates(&self, order: &Order, held: Option<Post>) -> Option<Mandates> {
        let book = self.read();
        let mandate = |it: &Employed| Mandate { role: it.deed, post: None };
        let by = book.get(order.by.person()?).filter(|it| it.may_act(&order.by, held))?;
        let sets = matches!(order.command.kind(), CommandKind::OpenTable | CommandKind::ChangeSettings);
        let agrees =
            |it: &&Employed| it.enabled && (it.post().is_some() || (sets && &*it.role == "administrator"));
        let second = match order.command.second() {
            Some(person) => Some(mandate(book.get(person).filter(agrees)?)),
            None => None,
        };
        Some(Mandates { by: mandate(by), second })
    }

    pub(crate) fn set(&self, person: &Person, employed: Option<Employed>) {
        let mut book = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match employed {
            Some(employed) => drop(book.insert(person.clone(), employed)),
            None => drop(book.remove(person)),
        }
    }

    pub(crate) fn set_all(&self, all: BTreeMap<Person, Employed>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = all;
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<Person, Employed>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}
