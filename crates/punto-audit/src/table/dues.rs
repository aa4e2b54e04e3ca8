//! What must happen next: events that follow from an order and from the state, written out whole.

use std::collections::VecDeque;

use punto_record::{Event, EventKind, MatterNo, Report};
use punto_rules::{Card, Cite, IrregularityKind, Side};

use super::round::Matter;

/// Something to be worked out once what is due has happened.
#[derive(Clone, Debug)]
pub(crate) enum Next {
    /// A matter is opened, which holds play or not.
    Open { report: Report, holds: bool, then: Then },
    /// A card was drawn in a Round, where this side's was due.
    Drawn { card: Card, due: Option<Side> },
    /// The card drawn lies with the other Hand.
    WrongSide,
    /// A card was keyed that could not be read.
    WasRead { card: Card, due: Option<Side> },
    /// A card had been keyed wrongly; the cards belonged so before.
    Corrected { card: Card, places: Vec<Side> },
    /// A card comes out between Rounds.
    Out(Card),
    /// It did.
    Early(Card),
    /// Several came out between Rounds at once.
    Together { cards: Vec<Card>, report: Report },
    /// If one of these cards is there too often, that is a matter.
    TooMany(Vec<Card>),
    /// The same, between Rounds too.
    AtFault(Vec<Card>),
    /// The interruption is resolved; so many cards were left over before. Perhaps the order of the shoe is lost.
    Resolve { left_over: usize, lost: bool },
    /// After that: concluded or void.
    Conclude { left_over: usize, lost: bool },
    /// Who has a choice is asked.
    Choices,
    /// More cards left over than before are a matter.
    LeftOver { before: usize },
    /// Bets close, if they are open.
    Close,
    /// A matter that the rule book leaves to nobody is ruled.
    ByTheRules(MatterNo),
    /// The Round is void.
    Void { kind: IrregularityKind, cite: Cite, matter: Option<Matter>, undone: Vec<punto_record::Change> },
    /// The cards must be exchanged for this kind of fault, unless that is known.
    Exchange(IrregularityKind),
    /// The shoe is replaced if the Round still plays.
    Replace(Cite),
    /// Chips of a box give way to its Differential.
    Trim(punto_record::BoxNo),
}

/// What becomes of a matter that was opened.
#[derive(Clone, Debug)]
pub(crate) enum Then {
    /// Somebody rules, or the rules do where they leave it to nobody.
    Ruled,
    /// It waits for somebody.
    Waits,
    /// What was settled stands, by this paragraph.
    Stands(Cite),
}

/// What is due in an entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dues {
    events: Vec<Event>,
    /// A card left the shoe in this entry.
    pub(crate) card_out: bool,
    pub(crate) next: VecDeque<Next>,
}

impl Dues {
    pub(crate) fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    pub(crate) fn then(&mut self, next: Next) {
        self.next.push_back(next);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Whether exactly this was due next; then it is no more.
    pub(crate) fn met(&mut self, event: &Event) -> bool {
        let is_next = self.events.first() == Some(event);
        if is_next {
            self.events.remove(0);
        }
        is_next
    }

    /// What was due of this kind.
    pub(crate) fn instead(&mut self, kind: EventKind) -> Option<Event> {
        let place = self.events.iter().position(|due| due.kind() == kind)?;
        Some(self.events.remove(place))
    }

    pub(crate) fn clear(&mut self) {
        self.events.clear();
        self.next.clear();
        self.card_out = false;
    }

    pub(crate) fn left(&self) -> &[Event] {
        &self.events
    }
}
