//! Who gives an order, and on which device.

use punto_record::{Actor, Cards, Command, CommandKind as Kind, MoneyKind, PostsBy};
use punto_rules::{PatronNo, Post};

use super::Scene;
use crate::device::Role;

fn staff(post: Post) -> (Role, Actor) {
    let (role, person) = match post {
        Post::Dealer => (Role::Console, "p-1"),
        Post::PitSupervisor => (Role::Pit, "p-2"),
        Post::PitManager => (Role::Pit, "p-4"),
        Post::ShiftManager => (Role::Pit, "p-5"),
        Post::DutyManager => (Role::Pit, "p-6"),
    };
    (role, Actor::Staff { person: person.into(), post })
}

/// The post of somebody who may be asked to agree.
pub(super) fn post_of(person: &str) -> Option<Post> {
    Post::ALL.into_iter().find(|post| staff(*post).1.person().is_some_and(|it| it.as_str() == person))
}

impl Scene<'_> {
    /// Where posts are held: the order by which somebody comes to the post in which they are about to work.
    pub(crate) fn posted(&self, by: &Actor) -> Option<(Role, Actor, Command)> {
        let asked = self.table.law().is_some_and(|law| law.settings.posts == PostsBy::Held);
        let Actor::Staff { person, post } = by else { return None };
        let posts = &self.table.state().posts;
        if !asked || posts.get(person) >= Some(post) {
            return None;
        }
        let (role, manager) = staff(Post::ShiftManager);
        let is_there = manager.person().is_some_and(|it| posts.get(it) >= Some(&Post::ShiftManager));
        if post.may_be_acting() && is_there {
            return Some((role, manager, Command::TakePost { person: person.clone(), post: *post }));
        }
        let (by, post) =
            if post.may_be_acting() { (manager, Post::ShiftManager) } else { (by.clone(), *post) };
        let person = by.person()?.clone();
        Some((role, by, Command::TakePost { person, post }))
    }

    fn speaker(&mut self) -> (Role, Actor) {
        let patron = self.patron();
        (Role::Terminal(patron), Actor::Patron { patron })
    }

    fn one_of(&mut self, patrons: Vec<PatronNo>) -> (Role, Actor) {
        if patrons.is_empty() {
            return self.speaker();
        }
        let patron = self.dice.pick(&patrons);
        (Role::Terminal(patron), Actor::Patron { patron })
    }

    /// Anybody at all.
    pub(crate) fn anybody(&mut self) -> (Role, Actor) {
        let patron = self.speaker();
        self.dice.pick(&[
            patron,
            staff(Post::Dealer),
            staff(Post::PitSupervisor),
            staff(Post::PitManager),
            staff(Post::ShiftManager),
            staff(Post::DutyManager),
            (Role::Cage, Actor::Cashier { person: "c-1".into() }),
            (Role::Office, Actor::Auditor { person: "a-1".into() }),
            (Role::Office, Actor::Administrator { person: "o-1".into() }),
            (Role::House, Actor::House),
        ])
    }

    /// Somebody whose order it is.
    pub(crate) fn somebody(&mut self, kind: Kind) -> (Role, Actor) {
        let law = self.table.law();
        let chips = law.is_some_and(|law| law.settings.money == MoneyKind::Chips);
        let live = law.is_some_and(|law| !law.is_electronic());
        let software = law.is_some_and(|law| law.settings.cards == Cards::Software);
        let (house, dealer) = ((Role::House, Actor::House), staff(Post::Dealer));
        match kind {
            Kind::OpenTable | Kind::ChangeSettings | Kind::TakePost | Kind::LeavePost => {
                (Role::Office, Actor::Administrator { person: "o-1".into() })
            }
            Kind::RevealShoe | Kind::LoseTerminal | Kind::RestoreTerminal | Kind::NoteClock => house,
            Kind::TakeSeat | Kind::LeaveSeat => {
                if chips {
                    dealer
                } else {
                    house
                }
            }
            Kind::DrawCard | Kind::LoadShoe | Kind::ExchangeShoe | Kind::BurnCards if software => house,
            Kind::Report if software && self.dice.chance(60) => house,
            Kind::OpenBets | Kind::CloseBets | Kind::CloseChoices if !live => house,
            Kind::PlaceWager | Kind::WithdrawWager if chips || (live && self.dice.chance(10)) => dealer,
            Kind::PlaceWager => self.speaker(),
            Kind::WithdrawWager => {
                let owners =
                    self.round().map_or_else(Vec::new, |round| round.wagers.patrons().into_iter().collect());
                self.one_of(owners)
            }
            Kind::CashOut => {
                let accounts = self.table.state().accounts.iter();
                let rich =
                    accounts.filter(|(_, account)| !account.credits.is_zero()).map(|(no, _)| *no).collect();
                self.one_of(rich)
            }
            Kind::RedeemTicket => {
                let cashier = (Role::Cage, Actor::Cashier { person: "c-1".into() });
                let patron = self.speaker();
                self.dice.weigh(&[(4, patron), (1, cashier)])
            }
            Kind::AskSqueeze | Kind::Choose | Kind::OpenDispute => {
                let patron = self.speaker();
                self.dice.pick(&[patron, dealer])
            }
            Kind::AcceptNote | Kind::ReportCase => {
                let (role, by) = self.speaker();
                let patron = by.patron().expect("a patron");
                let acceptor = format!("acceptor-{}", patron.0).parse().expect("a name");
                (role, Actor::Acceptor { acceptor, patron })
            }
            Kind::BuyCredits | Kind::PayUnclaimed | Kind::CountAcceptor => {
                (Role::Cage, Actor::Cashier { person: "c-1".into() })
            }
            Kind::Collect if chips => dealer,
            Kind::Collect => (Role::Cage, Actor::Cashier { person: "c-1".into() }),
            Kind::Rule => self.dice.weigh(&[
                (70, staff(Post::ShiftManager)),
                (25, staff(Post::PitSupervisor)),
                (5, dealer),
            ]),
            Kind::CorrectCard => self.dice.weigh(&[(3, dealer), (2, staff(Post::PitSupervisor))]),
            Kind::RuleCarriedCards
            | Kind::StartShift
            | Kind::ExtendHold
            | Kind::ReviewSetAside
            | Kind::DecideHeld => staff(Post::ShiftManager),
            Kind::CloseDispute => {
                self.dice.weigh(&[(3, staff(Post::ShiftManager)), (1, staff(Post::PitSupervisor))])
            }
            Kind::ChangeLimits
            | Kind::AnnounceClosing
            | Kind::CloseTable
            | Kind::ReconcileShoe
            | Kind::AmendWager
            | Kind::OpenFloat
            | Kind::CloseFloat
            | Kind::UncoverFloat
            | Kind::Fill
            | Kind::Credit
            | Kind::RecordPush
            | Kind::HoldPayout
            | Kind::KeepUnclaimed
            | Kind::SettleCase
            | Kind::EmptyAcceptor
            | Kind::BundleDispute
            | Kind::SeeDispute => staff(Post::PitSupervisor),
            // A change of shoe drops carried cards: not for a Dealer alone.
            Kind::RetireShoe | Kind::ExchangeShoe => staff(Post::ShiftManager),
            Kind::LoadShoe
            | Kind::InspectCards
            | Kind::CutCards
            | Kind::BurnCards
            | Kind::OpenBets
            | Kind::CloseBets
            | Kind::CloseChoices
            | Kind::RecordChips
            | Kind::RejectExcess
            | Kind::Advise
            | Kind::HandCards
            | Kind::CoverFloat
            | Kind::GrantSqueeze
            | Kind::DrawCard
            | Kind::ReadCard
            | Kind::TurnCards
            | Kind::ConfirmResult
            | Kind::Report
            | Kind::Drop => dealer,
            // After the first card not the Dealer's alone, and not of anybody who dealt.
            Kind::ConfirmCards => self.dice.weigh(&[
                (60, staff(Post::PitSupervisor)),
                (35, staff(Post::ShiftManager)),
                (5, dealer),
            ]),
        }
    }
}
