//! By which deeds people act: every order of a member of staff names the deed that gave its giver their role and the entry
//! by which they took their post, and those are what they are said to be and were in force. And that people signed for
//! what takes a signature.

use std::collections::BTreeMap;

use punto_record::{
    Actor, Anchor, Chain, Command, CommandKind, Deed, Digest, Entry, Event, HouseEntry, LedgerKind, Mandate,
    Person, PostsBy, TableId, Timestamp,
};
use punto_rules::Post;

use crate::factors::Factors;
use crate::finding::{FindingKind, Findings};
use crate::power::Power;

/// What a deed made of somebody.
#[derive(Clone, Debug)]
struct Employed {
    at: Timestamp,
    deed: Anchor,
    role: std::sync::Arc<str>,
    enabled: bool,
}

impl Employed {
    fn post(&self) -> Option<Post> {
        Post::ALL.into_iter().find(|post| post.id() == &*self.role)
    }

    /// Whether somebody may act as this by their role, or, on the floor, by a post that a higher one gave them.
    fn reaches(&self, by: &Actor, held: Option<Post>) -> bool {
        match by {
            Actor::Staff { post, .. } => self.post().is_some() && self.post().max(held) >= Some(*post),
            Actor::Cashier { .. } => &*self.role == "cashier",
            Actor::Auditor { .. } => &*self.role == "auditor",
            Actor::Administrator { .. } => &*self.role == "administrator",
            Actor::Patron { .. } | Actor::House | Actor::Acceptor { .. } => false,
        }
    }
}

/// Who took which post at a table, and where.
#[derive(Clone, Debug, Default)]
struct Posts {
    taken: BTreeMap<Person, (Anchor, Post)>,
    are_held: bool,
}

/// What the record says about people so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mandates {
    kind: Option<LedgerKind>,
    /// The house's volume begins in an archive: its deeds are not all known.
    is_archived: bool,
    staff: BTreeMap<Person, Vec<Employed>>,
    posts: BTreeMap<TableId, Posts>,
    /// Signatures that were given and not used: by whom, for what.
    signed: BTreeMap<(Person, Digest), u32>,
    power: Power,
    factors: Factors,
}

impl Mandates {
    pub(crate) fn new(is_archived: bool) -> Mandates {
        Mandates { is_archived, ..Mandates::default() }
    }

    /// Takes an entry of the house's volume.
    pub(crate) fn deed(&mut self, entry: &HouseEntry, chain: Chain, out: &mut Findings) {
        let judged = self.is_judged(entry.release.is_first());
        if judged && let Some(person) = entry.by.person().filter(|_| takes_a_role(&entry.deed)) {
            let holds = self.last(person).is_some_and(|it| it.enabled && it.reaches(&entry.by, None));
            out.hold(holds, FindingKind::NoMandate, "no deed gave this person that role");
        }
        if let (true, Some(second)) = (judged, entry.deed.second()) {
            self.used(second, entry.deed.signed_by(&entry.by), out);
        }
        if let Some(person) = entry.by.person()
            && judged
            && (takes_a_role(&entry.deed) || matches!(entry.deed, Deed::ApprovalGiven { .. }))
        {
            self.shows_factor(person, entry.at, out);
        }
        self.power.deed(entry, judged, out);
        if !self.is_archived {
            self.factors.deed(entry, out);
        }
        if let Deed::LedgerFounded { kind, .. } = &entry.deed {
            self.kind = self.kind.or(Some(*kind));
        } else if let Deed::StaffChanged { person, role, enabled, .. } = &entry.deed {
            let (at, role, enabled) = (entry.at, role.clone(), *enabled);
            let employed = Employed { at, deed: chain.into(), role, enabled };
            self.staff.entry(person.clone()).or_default().push(employed);
        } else if let (Deed::ApprovalGiven { digest: Some(digest), .. }, Some(person)) =
            (&entry.deed, entry.by.person())
        {
            *self.signed.entry((person.clone(), *digest)).or_default() += 1;
        }
    }

    /// Takes an entry of a table.
    pub(crate) fn entry(&mut self, table: &TableId, entry: &Entry, chain: Chain, out: &mut Findings) {
        let judged = self.is_judged(entry.release.is_first());
        let order = &entry.order;
        let (giver, second) = (order.by.person(), order.command.second());
        match (&entry.mandates, giver) {
            (Some(mandates), Some(person)) => {
                self.check(table, entry, person, &mandates.by, Some(&order.by), out);
                match (second, &mandates.second) {
                    (Some(second), Some(mandate)) => self.check(table, entry, second, mandate, None, out),
                    (None, None) => {}
                    (Some(_), None) | (None, Some(_)) => {
                        out.say(
                            FindingKind::NoMandate,
                            "the second person's deed is missing, or is nobody's",
                        );
                    }
                }
            }
            (Some(_), None) => {
                out.say(FindingKind::NoMandate, "deeds of people, and no person gave the order")
            }
            (None, Some(_)) if judged => {
                out.say(FindingKind::NoMandate, "it does not say by which deeds its giver acts");
            }
            (None, _) => {}
        }
        if let (true, Some(person)) = (judged, giver)
            && (second.is_some() || takes_a_signature(order.command.kind()))
        {
            let digest = order.signed_at(table);
            self.used(person, digest, out);
            if let Some(second) = second {
                self.used(second, digest, out);
            }
        }
        if let (true, Some(person)) = (judged, giver) {
            self.shows_factor(person, order.at, out);
        }
        if judged && moves_chips_or_credits(order.command.kind(), &order.by) {
            let other = second.is_some_and(|it| Some(it) != giver && !it.as_str().trim().is_empty());
            out.hold(other, FindingKind::SecondPerson, "chips or credits moved on one person's word");
        }
        if judged && order.command.kind() == CommandKind::OpenTable {
            let two = self.power.administrators() >= 2;
            out.hold(
                two,
                FindingKind::NoMandate,
                "a table was opened before two Administrators could come in",
            );
        }
        self.enter(table, entry, chain);
    }

    /// In a house at work since 0.2.0 everybody acts by deeds; a demonstration or a script need not.
    pub(crate) fn is_judged(&self, by_first_release: bool) -> bool {
        self.kind == Some(LedgerKind::House) && !by_first_release && !self.is_archived
    }

    fn last(&self, person: &Person) -> Option<&Employed> {
        self.staff.get(person)?.last()
    }

    /// Whoever must have a second factor has one when they act.
    fn shows_factor(&self, person: &Person, at: Timestamp, out: &mut Findings) {
        if let Some(Employed { role, at: since, .. }) = self.last(person) {
            self.factors.acts(person, (role, *since), at, out);
        }
    }

    fn check(
        &self,
        table: &TableId,
        entry: &Entry,
        person: &Person,
        mandate: &Mandate,
        by: Option<&Actor>,
        out: &mut Findings,
    ) {
        if self.is_archived {
            return;
        }
        let posts = self.posts.get(table);
        let taken = posts.and_then(|posts| posts.taken.get(person));
        let same = mandate.post == taken.map(|(place, _)| *place);
        out.hold(
            same,
            FindingKind::NoMandate,
            "the post is not the one that this person took, at that place",
        );
        let held = taken.map(|(_, post)| *post);
        let begins = matches!(entry.order.command, Command::OpenTable { .. } | Command::TakePost { .. });
        if let (true, Some(Actor::Staff { post, .. })) =
            (posts.is_some_and(|posts| posts.are_held) && !begins, by)
        {
            out.hold(held >= Some(*post), FindingKind::NoMandate, "posts are held here, and this one is not");
        }
        let deeds = self.staff.get(person).map_or(&[][..], Vec::as_slice);
        let Some(found) = deeds.iter().position(|it| it.deed == mandate.role) else {
            out.say(FindingKind::NoMandate, "there is no such deed about this person in the house's volume");
            return;
        };
        let employed = &deeds[found];
        // Settings are agreed to by those who set them, some of whom have no post on the floor.
        let sets = matches!(entry.order.command, Command::OpenTable { .. } | Command::ChangeSettings { .. });
        let fits = match by {
            Some(by) => employed.reaches(by, held),
            None => employed.post().is_some() || (sets && &*employed.role == "administrator"),
        };
        out.hold(employed.enabled && fits, FindingKind::NoMandate, "the deed does not give that role");
        let superseded = deeds.get(found + 1).is_some_and(|next| next.at < entry.order.at);
        out.hold(!superseded, FindingKind::NoMandate, "a later deed had taken the place of this one");
    }

    /// Uses a signature up.
    fn used(&mut self, person: &Person, digest: Digest, out: &mut Findings) {
        match self.signed.get_mut(&(person.clone(), digest)) {
            Some(left) if *left > 0 => *left -= 1,
            Some(_) | None => {
                out.say(FindingKind::NotSigned, format!("{person} did not sign for this, or signed once"));
            }
        }
    }

    fn enter(&mut self, table: &TableId, entry: &Entry, chain: Chain) {
        let posts = self.posts.entry(table.clone()).or_default();
        for event in &entry.events {
            if let Event::PostTaken { person, post } = event {
                posts.taken.insert(person.clone(), (chain.into(), *post));
            } else if let Event::PostLeft { person, .. } = event {
                posts.taken.remove(person);
            } else if let Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } =
                event
            {
                posts.are_held = settings.posts == PostsBy::Held;
            }
        }
    }
}

/// What is done in a role: money, rules, devices and people. Signing in and out is done by anybody.
const fn takes_a_role(deed: &Deed) -> bool {
    matches!(
        deed,
        Deed::TicketPaid { .. }
            | Deed::TicketVoided { .. }
            | Deed::TableUnlocked { .. }
            | Deed::ClockConfirmed { .. }
            | Deed::RulesApproved { .. }
            | Deed::RulesWithdrawn { .. }
            | Deed::ReadingsAdopted { .. }
            | Deed::StaffChanged { .. }
            | Deed::RestorationSeen { .. }
            | Deed::RegisterCleared { .. }
            | Deed::WitnessChanged { .. }
            | Deed::OpenedUnwitnessed { .. }
            | Deed::LossDeclared { .. }
            | Deed::FactorResetBegun { .. }
            | Deed::DeviceEnrolled { .. }
            | Deed::DeviceRevoked { .. }
    )
}

/// What nobody does alone in a house: the float, what is paid or collected, a patron's credits taken out by a Cashier.
const fn moves_chips_or_credits(kind: CommandKind, by: &Actor) -> bool {
    match by {
        Actor::Staff { .. } => matches!(
            kind,
            CommandKind::OpenFloat
                | CommandKind::CloseFloat
                | CommandKind::Fill
                | CommandKind::Credit
                | CommandKind::Drop
                | CommandKind::Collect
        ),
        Actor::Cashier { .. } => {
            matches!(kind, CommandKind::CashOut | CommandKind::PayUnclaimed | CommandKind::Collect)
        }
        Actor::Patron { .. }
        | Actor::Auditor { .. }
        | Actor::Administrator { .. }
        | Actor::House
        | Actor::Acceptor { .. } => false,
    }
}

/// Orders that nobody gives without their password, whoever they are.
const fn takes_a_signature(kind: CommandKind) -> bool {
    matches!(kind, CommandKind::Rule | CommandKind::RuleCarriedCards | CommandKind::AmendWager)
}
