//! Ages at their edges, and tickets that are spent at another table, before or after they are read.

mod support;

use punto_record::{Actor, Command, Deed, Entry, Event, HouseEntry, Order, OrderId, Release, Seq, Timestamp};
use punto_reports::{Asked, LiabilityReport, Reporter};
use punto_rules::{Money, PatronNo};

const DAY: u64 = 86_400_000;
const NOW: u64 = 1_767_225_600_000;

fn entry(at: u64, event: Event) -> Entry {
    let by = Actor::Cashier { person: "c-1".into() };
    let command = Command::CashOut { patron: PatronNo(1), second: None };
    let id = OrderId { device: "cage".into(), n: 1 };
    let order = Order { id, by, at: Timestamp(at), round: None, command };
    Entry { seq: Seq(1), order, events: vec![event], release: Release("test".into()), mandates: None }
}

fn issued(ticket: &str, age: u64, lives: u64) -> Entry {
    let (amount, at) = (Money::new(100).expect("money"), NOW - age);
    let expires = Timestamp(at + lives);
    entry(
        at,
        Event::CashedOut {
            patron: PatronNo(1),
            ticket: ticket.parse().expect("a name"),
            amount,
            expires,
            owed: Money::ZERO,
            tag: None,
            attempt: 0,
            currency: None,
        },
    )
}

fn redeemed(ticket: &str) -> Entry {
    let amount = Money::new(100).expect("money");
    entry(
        NOW,
        Event::TicketRedeemed {
            patron: PatronNo(2),
            ticket: ticket.parse().expect("a name"),
            amount,
            credits: amount,
        },
    )
}

fn liability(entries: &[(&str, Entry)], deeds: &[Deed]) -> LiabilityReport {
    let mut reporter = Reporter::new(Asked::everything(Timestamp(NOW)));
    for (table, entry) in entries {
        reporter.enter(&table.parse().expect("a name"), entry);
    }
    for deed in deeds {
        reporter.enter_deed(&HouseEntry {
            seq: Seq(1),
            id: OrderId { device: "cage".into(), n: 1 },
            by: Actor::House,
            at: Timestamp(NOW),
            deed: deed.clone(),
            release: Release("test".into()),
        });
    }
    reporter.finish().liability
}

#[test]
fn a_ticket_moves_on_at_the_very_millisecond() {
    let cases = [
        (0, 0),
        (DAY - 1, 0),
        (DAY, 1),
        (7 * DAY - 1, 1),
        (7 * DAY, 2),
        (30 * DAY - 1, 2),
        (30 * DAY, 3),
        (3000 * DAY, 3),
    ];
    for (age, bucket) in cases {
        let report = liability(&[("a", issued("t", age, 9000 * DAY))], &[]);
        for (at, (name, aged)) in report.tickets()[""].buckets().iter().enumerate() {
            assert_eq!(aged.count, u64::from(at == bucket), "{age} ms in {name}");
        }
    }
    // It is good up to the instant of its expiry, and not after it.
    let buckets = |lives| liability(&[("a", issued("t", DAY, lives))], &[]).tickets()[""];
    assert_eq!(buckets(DAY).expired.count, 0);
    assert_eq!(buckets(DAY - 1).expired.count, 1);
    assert_eq!(buckets(DAY).total().count, 1, "it is in one bucket only");
}

/// It is owed until two people have paid it, which is among the exceptions.
#[test]
fn an_expired_ticket_is_owed_until_two_people_paid_it() {
    let issued = [("a", issued("t", 40 * DAY, 30 * DAY))];
    assert_eq!(liability(&issued, &[]).tickets()[""].expired.amount, 100);
    let (ticket, amount, currency) = ("t".into(), Money::new(100).expect("money"), Some("SGD".into()));
    let (second, reason) = (Some("m-2".into()), Some("ill".into()));
    let paid = Deed::TicketPaid { ticket, amount, currency, second, reason };
    assert!(liability(&issued, std::slice::from_ref(&paid)).tickets().is_empty());
    let mut reporter = Reporter::new(Asked::everything(Timestamp(NOW)));
    reporter.enter_deed(&HouseEntry {
        seq: punto_record::Seq(1),
        id: punto_record::OrderId { device: "cage".into(), n: 1 },
        by: Actor::Cashier { person: "c-1".into() },
        at: Timestamp(NOW),
        deed: paid,
        release: Release("test".into()),
    });
    let report = reporter.finish();
    let [exception] = &report.exceptions.exceptions[..] else { panic!("{:?}", report.exceptions) };
    let told = (exception.kind.id(), exception.second.as_deref(), exception.amount, &*exception.currency);
    assert_eq!(told, ("expired-ticket-paid", Some("m-2"), Some(100), "SGD"));
    assert_eq!(exception.words, "t: ill");
}

#[test]
fn a_ticket_is_spent_wherever_it_is_read_first() {
    let spent_later = [("a", issued("t", DAY, 9 * DAY)), ("b", redeemed("t"))];
    assert!(liability(&spent_later, &[]).tickets().is_empty());
    let spent_first = [("b", redeemed("t")), ("a", issued("t", DAY, 9 * DAY))];
    assert!(liability(&spent_first, &[]).tickets().is_empty());
    let (ticket, amount) = ("t".into(), Money::new(100).expect("money"));
    let paid = Deed::TicketPaid { ticket, amount, currency: None, second: None, reason: None };
    assert!(liability(&[("a", issued("t", DAY, 9 * DAY))], std::slice::from_ref(&paid)).tickets().is_empty());
    let another = liability(&[("a", issued("u", DAY, 9 * DAY))], &[paid]);
    assert_eq!(another.tickets()[""].total().amount, 100);
}

#[test]
fn what_is_unclaimed_is_paid_oldest_first() {
    let money = |amount| Money::new(amount).expect("money");
    let kept = |age, amount| entry(NOW - age, Event::kept(PatronNo(1), money(amount)));
    let paid = entry(NOW, Event::UnclaimedPaid { patron: PatronNo(1), amount: money(130) });
    let report = liability(
        &[("a", kept(40 * DAY, 100)), ("a", kept(8 * DAY, 50)), ("a", kept(0, 7)), ("a", paid)],
        &[],
    );
    let ageing = report.unclaimed()[""];
    assert_eq!(ageing.older.amount, 0);
    assert_eq!(ageing.under_a_month.amount, 20);
    assert_eq!(ageing.under_a_day.amount, 7);
}

#[test]
fn what_comes_later_is_not_there_yet() {
    let mut reporter = Reporter::new(Asked::everything(Timestamp(NOW - 2 * DAY)));
    reporter.enter(&"a".into(), &issued("t", DAY, 9 * DAY));
    assert!(reporter.finish().liability.tickets().is_empty());
}
