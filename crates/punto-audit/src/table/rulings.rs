//! Rulings: who may make them, which the remedy of the rule book allows, and what each of them does.

use std::sync::Arc;

use punto_record::{Event, MatterNo, Person, Report, Ruling, Seen};
use punto_rules::{
    BySide, Card, ChoiceOffered, Cite, IrregularityKind, Remedy, ShoeAfter, Side, reconstruct,
};

use super::Look;
use super::dues::Next;
use super::matters::{BY_THE_RULES, has_wrong_number};
use super::round::{Matter, Round};
use super::shoe::Copies;
use crate::finding::FindingKind;
use crate::law::Clause;

type Ordered = (Vec<Card>, Vec<Card>);

impl Look<'_> {
    fn matter(&self, no: MatterNo) -> Option<&Matter> {
        let held = self.table.round.iter().flat_map(|round| &round.held);
        held.chain(&self.table.matters).find(|matter| matter.no == no)
    }

    pub(super) fn rule(
        &mut self,
        no: MatterNo,
        ruling: &Ruling,
        replace_shoe: bool,
        reason: &Arc<str>,
        second: Option<&Person>,
        departs: Option<u8>,
    ) {
        let Some(matter) = self.matter(no).cloned() else {
            self.say(FindingKind::WrongRuling, "no such matter was open");
            return;
        };
        self.must(!reason.trim().is_empty(), FindingKind::NoReason, "a ruling without a reason");
        // Cards that came out between Rounds are used in the order in which they came.
        let exposed = |it: &&Matter| it.holds && is_exposed(it.kind);
        let first = self.table.matters.iter().find(exposed).map(|it| it.no);
        let in_turn = !exposed(&&matter) || first.is_none_or(|first| first >= matter.no);
        self.in_turn(in_turn, "a card that came out before waits for its ruling");
        let law = self.law;
        let disputed = matches!(matter.report, Report::CardsInDispute { .. });
        let interrupted = self.round().is_some_and(|round| round.interrupted);
        self.in_turn(disputed || !interrupted, "the cards that are out were not known");
        let clause = law.clause_of(&matter.report, matter.kind, matter.holds);
        let may = self.order.by.post().is_some_and(|post| post >= clause.post());
        if !may {
            let words = format!("only from {} up is this decided", clause.post().name());
            self.out.cited(FindingKind::NotPermitted, words, Some(clause.cite));
        }
        // Money that moves after the fact takes two, whatever the matter.
        let takes_two = clause.takes_two() || matches!(ruling, Ruling::Adjust { .. });
        let own = self.order.by.person();
        let other = second.is_some_and(|it| Some(it) != own && !it.as_str().trim().is_empty());
        if takes_two && !other {
            self.out.cited(FindingKind::SecondPerson, "a second person must agree", Some(clause.cite));
        }
        if replace_shoe {
            let may = clause.found.is_some_and(|it| it.shoe == Some(ShoeAfter::MayReplace));
            let left = self.table.shoe.as_ref().is_some_and(|shoe| shoe.left() > 0);
            // INTERPRETATION 26: never to escape an empty shoe.
            let holds = may && self.round().is_some() && (left || law.is_continuous());
            self.must(holds, FindingKind::WrongRuling, "the cards may not be replaced here");
        }
        self.ruled(&matter, &clause, ruling, reason, second, departs);
        if replace_shoe {
            self.due.then(Next::Replace(clause.cite.clone()));
        }
    }

    /// A matter that the rule book leaves to nobody.
    pub(super) fn by_the_rules(&mut self, no: MatterNo) {
        let Some(matter) = self.matter(no).cloned() else { return };
        let clause = self.law.clause_of(&matter.report, matter.kind, matter.holds);
        let remedy = clause.found.map(|it| it.remedy);
        let ruling = if remedy == Some(Remedy::Void) {
            Ruling::Void {}
        } else if remedy == Some(Remedy::Continue) {
            Ruling::Continue {}
        } else {
            return;
        };
        self.ruled(&matter, &clause, &ruling, &BY_THE_RULES.into(), None, None);
    }

    fn ruled(
        &mut self,
        matter: &Matter,
        clause: &Clause<'_>,
        ruling: &Ruling,
        reason: &Arc<str>,
        second: Option<&Person>,
        departs: Option<u8>,
    ) {
        let allowed = self.allows(matter, clause, ruling);
        if !allowed {
            let words = format!("`{}` is not allowed for this matter", ruling.id());
            self.out.cited(FindingKind::WrongRuling, words, Some(clause.cite));
        }
        let ordered = self.ordered(matter, ruling);
        let is_void = matches!(ruling, Ruling::Void {});
        let choice = !is_void
            && self.round().is_some_and(|round| {
                let order = ordered.as_ref().map_or(&round.order, |(order, _)| order);
                self.offers(clause, ruling, order)
            });
        // A wrong number that can be reconstructed is a card drawn in excess (5.5.3, 5.8/5.7; electronic 5.4).
        let is_excess = clause.kind == IrregularityKind::WrongNumberOfCards
            && (matches!(ruling, Ruling::Reconstruct {})
                || (!self.first && matches!(ruling, Ruling::Correct { .. })));
        let excess = self.law.cite(IrregularityKind::ExcessOrExposedCard).filter(|_| is_excess);
        self.due.push(Event::Ruled {
            matter: matter.no,
            ruling: ruling.clone(),
            cite: match (excess, self.first) {
                (Some(excess), _) => excess.clone(),
                (None, true) => clause.cite.clone(),
                (None, false) => self.ruled_by(clause, ruling),
            },
            choice,
            second: second.cloned(),
            reason: reason.clone(),
            departs,
        });
        match ruling {
            Ruling::Void {} => {
                let undone = if self.round().is_none() { self.undone() } else { Vec::new() };
                // Cards that leave a wrong number and cannot be reconstructed are a void cause of their own (5.5.3).
                let reads_as = |kind| {
                    matches!(kind, IrregularityKind::ExcessOrExposedCard | IrregularityKind::WrongSide)
                        .then_some(IrregularityKind::WrongNumberOfCards)
                };
                let kind = reads_as(clause.kind).unwrap_or(clause.kind);
                // An error that came through the House is not covered (interpretation 42).
                let through_house = kind == IrregularityKind::BetPlacedInError && !self.first;
                let own = self.law.cite_or_uncovered(kind);
                let cite = if through_house { clause.cite.clone() } else { own.clone() };
                let matter = Some(matter.clone());
                self.due.next.push_front(Next::Void { kind, cite, matter, undone });
            }
            Ruling::Misread { card } => self.misread(matter, *card),
            Ruling::Reconstruct {} | Ruling::AsTheyLie { .. } | Ruling::InOrder { .. } => {
                if let Some((order, carried)) = ordered {
                    self.due.push(Event::CardsOrdered { order, carried });
                }
            }
            Ruling::Correct { cards } => match self.round() {
                Some(_) if matches!(matter.report, Report::CardsInDispute { .. }) => {
                    self.rule_cards(matter, cards);
                }
                Some(_) => {
                    self.can_be_the_cards(cards);
                    self.due.push(Event::CardsConfirmed { cards: cards.clone(), second: None });
                }
                None => self.correct(matter, cards),
            },
            Ruling::Adjust { .. } => self.adjust(matter, ruling),
            Ruling::Continue {} | Ruling::Stand {} => {}
        }
    }

    /// The paragraph that says what is ruled, or the reading where none does (interpretation 40).
    fn ruled_by(&self, clause: &Clause<'_>, ruling: &Ruling) -> Cite {
        let law = self.law;
        if clause.kind == IrregularityKind::ShoeExhausted && matches!(ruling, Ruling::Misread { .. }) {
            return Cite::interpretation(38);
        }
        if clause.read {
            return clause.cite.clone();
        }
        let in_excess =
            matches!(clause.kind, IrregularityKind::ExcessOrExposedCard | IrregularityKind::WrongSide);
        let faulty = matches!(
            clause.kind,
            IrregularityKind::ForeignCard
                | IrregularityKind::ShortageOrExcess
                | IrregularityKind::NotShuffled
        );
        let in_time = clause.in_time && clause.kind == IrregularityKind::WrongResult;
        let own = law.cite_in_time(clause.kind, in_time);
        if in_excess && matches!(ruling, Ruling::Void {}) {
            law.cite(IrregularityKind::WrongNumberOfCards).cloned().unwrap_or(own)
        } else if in_excess && matches!(ruling, Ruling::AsTheyLie { .. }) {
            law.rulebook.conduct.patrons_choice.clone().unwrap_or(own)
        } else if faulty && matches!(ruling, Ruling::Misread { .. }) {
            Cite::interpretation(23)
        } else {
            own
        }
    }

    /// What the remedy lets somebody decide.
    fn allows(&self, matter: &Matter, clause: &Clause<'_>, ruling: &Ruling) -> bool {
        let adjusts = if let Ruling::Adjust { cards, .. } = ruling { !cards.is_empty() } else { false };
        let says_cards =
            adjusts || matches!(ruling, Ruling::Correct { .. } | Ruling::Misread { card: Some(_) });
        if says_cards && self.law.is_software() {
            return false;
        }
        if let Report::CardsInDispute { .. } = matter.report {
            return matches!(ruling, Ruling::Correct { .. });
        }
        let found = clause.found;
        let in_time = found.and_then(|it| it.in_time).filter(|_| clause.in_time);
        let remedy = in_time.or(found.map(|it| it.remedy)).unwrap_or(Remedy::Ruling);
        let round = self.round().filter(|round| round.held.iter().any(|it| it.no == matter.no));
        let is_number = clause.kind == IrregularityKind::WrongNumberOfCards && !self.first;
        if is_number {
            return self.allows_for_number(matter, ruling, round);
        }
        if let (None, true) = (round, !self.first && matter.holds && is_exposed(clause.kind)) {
            // A card out of the shoe between Rounds is used (interpretation 36); of several the order is ruled (35).
            return match exposed(matter).len() {
                0 | 1 => matches!(ruling, Ruling::Reconstruct {}),
                _ => matches!(ruling, Ruling::InOrder { .. }),
            };
        }
        match (ruling, round) {
            // Between Rounds, and beside one, only what is over can be put right.
            (Ruling::Stand {}, None) => remedy != Remedy::Adjust,
            (Ruling::Reconstruct {}, None) => remedy == Remedy::Reconstruct,
            (Ruling::Void {}, None) => remedy == Remedy::Void,
            (Ruling::Correct { .. }, None) => matches!(remedy, Remedy::Void | Remedy::CorrectToCards),
            // INTERPRETATION 37: where earlier Rounds stand nothing is adjusted, whatever it is called.
            (Ruling::Adjust { round, .. }, None) => {
                // INTERPRETATION 43: but for one that was disputed in time and opened over.
                let spoken = self.table.disputes.opened_over(round.unwrap_or(matter.round), None);
                let stands = self.every_round_stands() && !self.first && !spoken;
                matches!(remedy, Remedy::Ruling | Remedy::Adjust) && !stands
            }
            (Ruling::Misread { card: None }, None) => remedy == Remedy::Adjust,
            (
                Ruling::Misread { card: Some(_) }
                | Ruling::AsTheyLie { .. }
                | Ruling::InOrder { .. }
                | Ruling::Continue {},
                None,
            ) => false,

            (Ruling::Void {}, Some(round)) => match remedy {
                Remedy::Void | Remedy::Ruling => true,
                // INTERPRETATION 24: with a right number of cards the Hands go on as they lie.
                Remedy::Reconstruct => {
                    let wrong = self.first || has_wrong_number(&round.order, &round.hands());
                    wrong && !numbers_are_right(&round.hands())
                }
                Remedy::RejectExcess
                | Remedy::RaiseOrWithdraw
                | Remedy::ProRata
                | Remedy::PlayAsPlaced
                | Remedy::Settle
                | Remedy::ConcludeOrVoid
                | Remedy::PlayRegistered
                | Remedy::Refuse
                | Remedy::Continue
                | Remedy::RuleOrder
                | Remedy::PatronsChoose
                | Remedy::Stand
                | Remedy::NoRefund
                | Remedy::CorrectToCards
                | Remedy::Adjust => false,
            },
            (Ruling::Misread { .. }, Some(_)) => {
                remedy == Remedy::Void && clause.kind != IrregularityKind::WrongNumberOfCards
            }
            (Ruling::Reconstruct {}, Some(_)) => match remedy {
                Remedy::Void => clause.kind == IrregularityKind::WrongNumberOfCards,
                Remedy::Reconstruct | Remedy::PatronsChoose | Remedy::Ruling => true,
                Remedy::RejectExcess
                | Remedy::RaiseOrWithdraw
                | Remedy::ProRata
                | Remedy::PlayAsPlaced
                | Remedy::Settle
                | Remedy::ConcludeOrVoid
                | Remedy::PlayRegistered
                | Remedy::Refuse
                | Remedy::Continue
                | Remedy::RuleOrder
                | Remedy::Stand
                | Remedy::NoRefund
                | Remedy::CorrectToCards
                | Remedy::Adjust => false,
            },
            (Ruling::AsTheyLie { .. }, Some(_)) => {
                // 5.13.1/5.12.1; the electronic game has no such paragraph.
                let may_lie = self.law.rulebook.conduct.patrons_choice.is_some();
                remedy == Remedy::Ruling
                    || (may_lie && matches!(remedy, Remedy::Reconstruct | Remedy::PatronsChoose))
            }
            (Ruling::InOrder { .. }, Some(_)) => matches!(remedy, Remedy::RuleOrder | Remedy::Ruling),
            (Ruling::Continue {}, Some(_)) => {
                !matches!(remedy, Remedy::Void | Remedy::Reconstruct | Remedy::RuleOrder)
            }
            (Ruling::Correct { .. }, Some(_)) => remedy == Remedy::CorrectToCards,
            (Ruling::Stand {} | Ruling::Adjust { .. }, Some(_)) => false,
        }
    }

    /// A wrong number of cards is reconstructed, or void while the number is wrong; it never stands (interpretation 32).
    fn allows_for_number(&self, matter: &Matter, ruling: &Ruling, round: Option<&Round>) -> bool {
        let is_wrong = match (round, &matter.report) {
            (Some(round), _) => has_wrong_number(&round.order, &round.hands()),
            (None, Report::WrongNumberOfCards { hands, neither, .. }) => {
                let settled = self.table.last.as_ref().map_or(&[][..], |last| &last.drawn);
                let placed = hands.player.iter().chain(&hands.banker).chain(neither);
                let all = Copies::of(placed).holds(&Copies::of(settled)) && !settled.is_empty();
                all && has_wrong_number(settled, hands)
            }
            (None, _) => false,
        };
        match ruling {
            Ruling::Reconstruct {} => true,
            Ruling::Void {} => is_wrong,
            Ruling::Correct { .. } => round.is_none() && !self.law.is_software(),
            Ruling::Misread { .. }
            | Ruling::AsTheyLie { .. }
            | Ruling::InOrder { .. }
            | Ruling::Continue {}
            | Ruling::Stand {}
            | Ruling::Adjust { .. } => false,
        }
    }

    /// The order of the cards that a ruling fixes, and what it leaves over.
    fn ordered(&mut self, matter: &Matter, ruling: &Ruling) -> Option<Ordered> {
        let Some(round) = self.table.round.as_ref() else {
            let next: Vec<Card> = [&self.table.carried, exposed(matter)].concat();
            if let Ruling::InOrder { order } = ruling {
                let from = if is_seen(matter) { next.len() } else { self.table.carried.len() };
                let sound = Copies::of(order) == Copies::of(&next)
                    && (0..next.len()).all(|at| at >= from || order.get(at) == next.get(at));
                self.must(sound, FindingKind::WrongRuling, "an order of other cards than wait for it");
                return Some((Vec::new(), order.clone()));
            }
            return matches!(ruling, Ruling::Reconstruct {}).then_some((Vec::new(), next));
        };
        let split = |cards: &[Card]| {
            let (deal, surplus) = reconstruct(cards);
            (deal.drawn().collect(), surplus.to_vec())
        };
        if let Ruling::Reconstruct {} = ruling {
            return Some(split(&round.order));
        }
        if let Ruling::InOrder { order } = ruling {
            self.same_cards(order, round);
            if let Report::SimultaneousDraw { .. } = &matter.report {
                let places = open_places(round, matter);
                let stays = |at: usize| places.contains(&at) || order.get(at) == round.order.get(at);
                let sound = order.len() == round.order.len() && (0..order.len()).all(stays);
                self.must(
                    sound,
                    FindingKind::WrongRuling,
                    "only cards that were drawn together change places",
                );
            }
            return Some(split(order));
        }
        if let Ruling::AsTheyLie { order } = ruling {
            self.same_cards(order, round);
            let (deal, surplus) = reconstruct(order);
            let hands = round.hands();
            let lie = Side::BOTH.into_iter().all(|side| deal.hands()[side].cards() == hands[side]);
            self.must(lie && surplus.is_empty(), FindingKind::WrongRuling, "the Hands do not lie so");
            return Some((order.clone(), Vec::new()));
        }
        None
    }

    fn same_cards(&mut self, order: &[Card], round: &Round) {
        let same = Copies::of(order) == Copies::of(&round.order);
        self.must(same, FindingKind::WrongRuling, "an order of other cards than are out");
    }

    /// Whether the patrons are to be asked, with the cards in this order (interpretation 25).
    fn offers(&self, clause: &Clause<'_>, ruling: &Ruling, order: &[Card]) -> bool {
        let is_excess =
            clause.kind == IrregularityKind::WrongNumberOfCards && matches!(ruling, Ruling::Reconstruct {});
        let excess = self.law.rulebook.irregularity(IrregularityKind::ExcessOrExposedCard);
        let choice = if is_excess { excess } else { clause.found }.and_then(|it| it.choice);
        let established = || !self.law.established(order, &self.placed()).is_empty();
        match choice {
            None => false,
            Some(ChoiceOffered::Always) => true,
            Some(ChoiceOffered::IfNotEstablished) => !established(),
            Some(ChoiceOffered::UnlessEstablishedAndReconstructable) => {
                let dealt_again = matches!(ruling, Ruling::Reconstruct {} | Ruling::InOrder { .. });
                !dealt_again || !established()
            }
        }
    }

    /// There was nothing of the kind; the card that was taken for another is this one.
    fn misread(&mut self, matter: &Matter, card: Option<Card>) {
        let Some(round) = self.table.round.as_ref() else { return };
        let suspect = round.drawn.iter().rposition(|dealt| {
            let is_it = if let Report::ShortageOrExcess { extra, .. } = &matter.report {
                dealt.seen.card().is_some_and(|card| extra.contains(&card))
            } else if let Report::ForeignCard { card } = &matter.report {
                dealt.seen == Seen::Foreign(card.clone())
            } else {
                false
            };
            is_it && !dealt.carried && dealt.shoe == round.shoe
        });
        let (at, card) = match (suspect, card) {
            (None, None) => return,
            (Some(at), Some(card)) => (at, card),
            (Some(_), None) | (None, Some(_)) => {
                self.say(FindingKind::WrongRuling, "a card was misread that is not there, or not said");
                return;
            }
        };
        let was = round.drawn[at].seen.card();
        let more = u32::from(was != Some(card));
        let copies = self.table.shoe.as_ref().map_or(0, |shoe| shoe.dealt.get(card).saturating_add(more));
        let fits = copies <= u32::from(self.law.settings.decks);
        self.must(fits, FindingKind::TooManyCopies, "read anew, the card is there too often");
        let mut order = round.order.clone();
        match was.and_then(|was| order.iter().rposition(|it| *it == was)) {
            Some(place) => order[place] = card,
            None => {
                let before = round.drawn[..at].iter().filter(|dealt| dealt.seen.card().is_some()).count();
                order.insert(before.min(order.len()), card);
            }
        }
        let (deal, surplus) = reconstruct(&order);
        let place = u16::try_from(at + 1).unwrap_or(u16::MAX);
        self.due.push(Event::CardMisread { at: place, card });
        let (order, carried) = (deal.drawn().collect(), surplus.to_vec());
        self.due.push(Event::CardsOrdered { order, carried });
    }
}

const fn is_exposed(kind: IrregularityKind) -> bool {
    matches!(kind, IrregularityKind::ExcessOrExposedCard | IrregularityKind::SimultaneousDraw)
}

/// The cards that a matter says came out and are not yet used.
fn exposed(matter: &Matter) -> &[Card] {
    if let Report::ExcessOrExposedCard { cards } | Report::SimultaneousDraw { cards, .. } = &matter.report {
        cards
    } else {
        &[]
    }
}

fn is_seen(matter: &Matter) -> bool {
    matches!(matter.report, Report::SimultaneousDraw { order_known: true, .. })
}

/// Where the cards stand whose order is open: not where a reading shoe fixed it or surveillance saw it (5.11/5.10;
/// electronic 5.7; interpretation 35).
fn open_places(round: &Round, matter: &Matter) -> Vec<usize> {
    let Report::SimultaneousDraw { cards, places, .. } = &matter.report else { return Vec::new() };
    if places.is_empty() {
        let end = matter.from.saturating_add(cards.len()).min(round.order.len());
        let start = end.saturating_sub(cards.len());
        return if is_seen(matter) { Vec::new() } else { (start..end).collect() };
    }
    let at = |place: &u16| round.drawn.get(usize::from(*place).wrapping_sub(1));
    let drawn: Vec<_> = places.iter().filter_map(at).collect();
    let mut open: Vec<usize> = Vec::new();
    if is_seen(matter) || drawn.iter().all(|it| !it.keyed) {
        return open;
    }
    for card in drawn.iter().filter_map(|it| it.seen.card()) {
        let free = (0..round.order.len()).find(|at| round.order[*at] == card && !open.contains(at));
        open.extend(free);
    }
    open
}

/// Whether some order of drawing gives the Hands as they lie.
fn numbers_are_right(hands: &BySide<Vec<Card>>) -> bool {
    let BySide { player, banker } = hands;
    let longest = player.len().max(banker.len());
    let in_turn = (0..longest).flat_map(|i| [player.get(i), banker.get(i)]).flatten();
    let order: Vec<Card> = in_turn.copied().collect();
    let (deal, surplus) = reconstruct(&order);
    let lie = Side::BOTH.into_iter().all(|side| deal.hands()[side].cards() == hands[side]);
    lie && surplus.is_empty() && !order.is_empty()
}
