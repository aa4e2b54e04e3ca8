//! Who is employed as what, as the house's volume says: by which deed somebody may act.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use punto_record::{Actor, Anchor, CommandKind, Mandate, Mandates, Order, Person, Seq};
use punto_rules::Post;

use crate::house::House;

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
pub struct StaffBook(Arc<RwLock<Book>>);

#[derive(Debug, Default)]
struct Book {
    staff: BTreeMap<Person, Employed>,
    /// Administrators who are employed and have chosen a password.
    administrators: usize,
    /// A restoration of Administrators that none of them has looked into yet.
    restored: Option<Seq>,
}

impl StaffBook {
    /// What somebody is employed as. Nothing while that is being changed: what they order then is refused, so that no entry
    /// names a deed that was superseded before the order was given.
    pub fn employed(&self, person: &Person) -> Option<Employed> {
        self.read().staff.get(person).cloned()
    }

    /// How many Administrators are employed and have chosen a password.
    pub fn administrators(&self) -> usize {
        self.read().administrators
    }

    /// The restoration of Administrators that none of them has looked into yet.
    pub fn restored(&self) -> Option<Seq> {
        self.read().restored
    }

    /// By which deeds the people of an order act, where its giver holds this post at the table. `None` if one of them has no
    /// deed for it, or no member of staff gave it.
    pub fn mandates(&self, order: &Order, held: Option<Post>) -> Option<Mandates> {
        let book = self.read();
        let mandate = |it: &Employed| Mandate { role: it.deed, post: None };
        let by = book.staff.get(order.by.person()?).filter(|it| it.may_act(&order.by, held))?;
        let sets = matches!(order.command.kind(), CommandKind::OpenTable | CommandKind::ChangeSettings);
        let agrees =
            |it: &&Employed| it.enabled && (it.post().is_some() || (sets && &*it.role == "administrator"));
        let second = match order.command.second() {
            Some(person) => Some(mandate(book.staff.get(person).filter(agrees)?)),
            None => None,
        };
        Some(Mandates { by: mandate(by), second })
    }

    pub(crate) fn suspend(&self, person: &Person) {
        self.write().staff.remove(person);
    }

    /// As the house's volume has it now.
    pub(crate) fn set_all(&self, house: &House) {
        let (staff, restored) = (house.staff.clone(), house.power.restored);
        *self.write() = Book { staff, administrators: house.administrators().count(), restored };
    }

    fn read(&self) -> RwLockReadGuard<'_, Book> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Book> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
