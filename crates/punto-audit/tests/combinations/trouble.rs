//! What can go wrong at a table, as orders that fit the table as it is.

use punto_record::{Actor, Command, Report, RoundNo, Seen, Source};
use punto_rules::{BySide, Card, PatronNo, Post};

use super::driver::{Driver, cards, staff};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Interruption,
    ForeignCard,
    ForeignCardDrawn,
    UnreadableCard,
    CardTooMany,
    Shortage,
    WrongNumber,
    DeviceEmpty,
    NotShuffled,
    LateBet,
    ExposedCard,
    WrongSide,
    FaceUp,
    DrawnTogether,
    ReadTogether,
    OtherError,
    LateDiscovery,
    BetInError,
    WrongResult,
    WalkAway,
    Uncovered,
    MiskeyedCard,
    TerminalLost,
    Dispute,
}

impl Trouble {
    pub(crate) const ALL: [Trouble; 24] = [
        Trouble::Interruption,
        Trouble::ForeignCard,
        Trouble::ForeignCardDrawn,
        Trouble::UnreadableCard,
        Trouble::CardTooMany,
        Trouble::Shortage,
        Trouble::WrongNumber,
        Trouble::DeviceEmpty,
        Trouble::NotShuffled,
        Trouble::LateBet,
        Trouble::ExposedCard,
        Trouble::WrongSide,
        Trouble::FaceUp,
        Trouble::DrawnTogether,
        Trouble::ReadTogether,
        Trouble::OtherError,
        Trouble::LateDiscovery,
        Trouble::BetInError,
        Trouble::WrongResult,
        Trouble::WalkAway,
        Trouble::Uncovered,
        Trouble::MiskeyedCard,
        Trouble::TerminalLost,
        Trouble::Dispute,
    ];

    /// Orders by which it comes about; the first that the table takes.
    pub(crate) fn orders(self, at: &Driver) -> Vec<(Actor, Command)> {
        let dealer = |command| vec![(staff(Post::Dealer), command)];
        let report = |report| {
            let by = [Post::Dealer, Post::PitSupervisor];
            by.map(|post| (staff(post), Command::Report { report: Report::clone(&report) })).to_vec()
        };
        let draw = |card, source| dealer(Command::DrawCard { card, source, to: None });
        let (words, state) = ("noticed".into(), at.table.state());
        let last = state.rounds;
        let out = state.round().map_or_else(Vec::new, |round| round.cards());
        let patron = PatronNo(2);
        match self {
            Trouble::Interruption => report(Report::TechnicalInterruption { cause: None }),
            Trouble::ForeignCard => report(Report::ForeignCard { card: "joker".into() }),
            Trouble::ForeignCardDrawn => draw(Seen::Foreign("joker".into()), Source::Read),
            Trouble::UnreadableCard => draw(Seen::Unreadable, Source::Read),
            Trouble::CardTooMany if at.is_confirming() => draw(Seen::Card(at.next_card()), Source::Keyed),
            Trouble::CardTooMany => Vec::new(),
            Trouble::Shortage => {
                report(Report::ShortageOrExcess { missing: cards("7c"), extra: vec![], shoe: None })
            }
            Trouble::WrongNumber => report(wrong_number(at, &out)),
            Trouble::DeviceEmpty => report(Report::ShoeExhausted { left: Some(0) }),
            Trouble::NotShuffled => report(Report::NotShuffled {}),
            Trouble::LateBet => report(Report::LateBet {
                patron,
                box_no: at.is_live().then_some(punto_record::BoxNo(1)),
                bet: "player".into(),
                stake: at.money(400),
            }),
            Trouble::ExposedCard => report(Report::ExcessOrExposedCard { cards: vec![at.next_card()] }),
            Trouble::WrongSide => {
                let BySide { player, banker } =
                    state.round().map_or(BySide { player: vec![], banker: vec![] }, |round| round.hands());
                report(Report::WrongSide { hands: BySide { player: banker, banker: player } })
            }
            Trouble::FaceUp => report(Report::FaceUp { cards: vec![] }),
            Trouble::DrawnTogether => {
                let two = vec![at.next_card(), at.card_after(1)];
                report(Report::SimultaneousDraw { cards: two, places: vec![], order_known: false })
            }
            Trouble::ReadTogether => {
                let at = (out.len().max(2) - 1) as u16;
                report(Report::SimultaneousDraw {
                    cards: vec![],
                    places: vec![at, at + 1],
                    order_known: false,
                })
            }
            Trouble::OtherError => report(Report::OtherDealingError { words }),
            Trouble::LateDiscovery => {
                report(Report::LateDiscovery { round: RoundNo(last.0.saturating_sub(1)), words })
            }
            Trouble::BetInError => report(Report::BetPlacedInError { patron, words, through: None }),
            Trouble::WrongResult => report(Report::WrongResult { round: last, words }),
            Trouble::WalkAway => report(Report::WalkAway { patron }),
            Trouble::Uncovered => report(Report::Uncovered { words }),
            Trouble::MiskeyedCard => {
                let Some(was) = out.last().copied() else { return Vec::new() };
                let keyed = Command::CorrectCard { at: out.len() as u16, was, card: at.card_after(2) };
                [Post::Dealer, Post::PitSupervisor].map(|post| (staff(post), keyed.clone())).to_vec()
            }
            Trouble::TerminalLost => vec![(Actor::House, Command::LoseTerminal { patron })],
            Trouble::Dispute => {
                let open = Command::OpenDispute {
                    round: Some(last),
                    patron: Some(patron),
                    words,
                    about: None,
                    box_no: None,
                };
                vec![(Actor::Patron { patron }, open.clone()), (staff(Post::Dealer), open)]
            }
        }
    }
}

/// A card that was out and not read lies with the Player Hand; after the Round, too.
fn wrong_number(at: &Driver, out: &[Card]) -> Report {
    let state = at.table.state();
    let recorded = if state.round().is_some() {
        out.to_vec()
    } else {
        let settled = state.last().map_or(&[][..], |last| &last.drawn);
        [settled, &state.carried].concat()
    };
    let unread = vec![at.next_card()];
    let mut hands = BySide { player: unread.clone(), banker: Vec::new() };
    for (i, card) in recorded.into_iter().enumerate() {
        if i % 2 == 0 {
            hands.player.push(card);
        } else {
            hands.banker.push(card);
        }
    }
    Report::WrongNumberOfCards { hands, neither: Vec::new(), unread }
}
