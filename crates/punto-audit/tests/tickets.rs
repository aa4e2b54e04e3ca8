//! Tickets across tables: issued once, used up once, and the store's rows are what the record says.

mod ledger;

use ledger::{EARLY, Ledger, key, ledger_of, told};
use punto_audit::{Audit, Auditor, FindingKind, Inputs};
use punto_record::{Actor, Deed, Entry, LedgerKind, Ticket, TicketNo, TicketState, Timestamp};
use punto_rules::Money;
use punto_table::script::{Script, play};

const DAY: u64 = 86_400_000;

fn money(minor: u64) -> Money {
    Money::new(minor).expect("money")
}

fn kinds(audit: &Audit) -> Vec<FindingKind> {
    audit.findings.iter().map(|finding| finding.kind).collect()
}

fn script(text: &str) -> Vec<Entry> {
    let script = Script::parse(text).expect("a script");
    play(&script, ledger::approved).expect("played").entries
}

/// A table that redeems one ticket of 500.
fn redeems(no: &str) -> Vec<Entry> {
    let text = "table ncb-etg terminal\ngiven ticket 500\npatron 7: redeem-ticket patron=7 ticket=t-1\n";
    let mut entries = script(text);
    let text = serde_json::to_string(&entries.pop().expect("redeemed")).expect("JSON").replace("t-1", no);
    entries.push(serde_json::from_str(&text).expect("an entry"));
    entries
}

#[test]
fn a_ticket_of_one_table_is_good_at_another_once() {
    let entries = redeems("t-1");
    let ledger = ledger_of(&entries);
    assert!(ledger.audit().is_clean(), "{}", told(&ledger.audit()));
    let paid = Deed::TicketPaid { ticket: "t-1".into(), amount: money(500) };
    let mut twice = ledger.clone();
    twice.deed_at(Actor::Cashier { person: "c".into() }, EARLY + DAY, paid);
    assert_eq!(kinds(&twice.audit_entries()), [FindingKind::TicketNotGood]);
    let mut never = Ledger::founded(LedgerKind::Demo, &key(1));
    entries.iter().for_each(|entry| never.plain_entry(&ledger::table_of(&entries), entry));
    assert_eq!(kinds(&never.audit_entries()), [FindingKind::TicketNotGood]);
}

fn at_the_cage(kind: LedgerKind, no: &TicketNo, deeds: Vec<(u64, Deed)>) -> Audit {
    let mut ledger = Ledger::founded(kind, &key(1));
    ledger.cage(&[(no.clone(), money(500))]);
    for (at, deed) in deeds {
        ledger.deed_at(Actor::Cashier { person: "c".into() }, at, deed);
    }
    ledger.audit_entries()
}

#[test]
fn at_the_cage_a_ticket_is_paid_or_void_once_in_time_and_in_full() {
    let no: TicketNo = "t-1".into();
    let paid = |minor| Deed::TicketPaid { ticket: "t-1".into(), amount: money(minor) };
    let void = |second: &str| Deed::TicketVoided {
        ticket: "t-1".into(),
        amount: money(500),
        second: second.parse().expect("a name"),
        reason: "torn".into(),
    };
    let audit = |deeds| kinds(&at_the_cage(LedgerKind::Demo, &no, deeds));
    let soon = EARLY + DAY;
    assert_eq!(audit(vec![(soon, paid(500))]), []);
    assert_eq!(audit(vec![(soon, paid(501))]), [FindingKind::TicketNotGood]);
    assert_eq!(audit(vec![(EARLY + 31 * DAY, paid(500))]), [FindingKind::TicketNotGood]);
    assert_eq!(audit(vec![(EARLY + 31 * DAY, void("s"))]), []);
    assert_eq!(audit(vec![(soon, void("s")), (soon, paid(500))]), [FindingKind::TicketNotGood]);
    assert_eq!(audit(vec![(soon, void("c"))]), [FindingKind::SecondPerson]);
}

#[test]
fn a_house_numbers_its_tickets_with_check_digits() {
    let sound = TicketNo::from_drawn(1_234_567_890_123_456);
    // The table that issued it was asked for no approval, which is another matter.
    let of = |ticket: &TicketNo| {
        let mut found = kinds(&at_the_cage(LedgerKind::House, ticket, Vec::new()));
        found.retain(|kind| *kind != FindingKind::AgainstInterpretation);
        found
    };
    assert_eq!(of(&sound), []);
    assert_eq!(of(&"t-1".into()), [FindingKind::WrongTicket]);
}

#[test]
fn the_rows_of_the_store_are_what_the_record_says() {
    let ledger = ledger_of(&redeems("t-1"));
    let row = ledger.tickets.values().next().expect("a ticket").clone();
    assert_eq!(row.state, TicketState::Redeemed);
    let audit = |rows: Vec<Ticket>| {
        let mut auditor = Auditor::new(Inputs::default());
        ledger.leaves.iter().for_each(|(volume, sealed)| auditor.entry(volume, sealed));
        auditor.tickets(rows);
        kinds(&auditor.finish())
    };
    assert_eq!(audit(vec![row.clone()]), []);
    let wrong = [
        vec![],
        vec![row.clone(), row.clone()],
        vec![Ticket { amount: money(501), ..row.clone() }],
        vec![Ticket { state: TicketState::Good, ..row.clone() }],
        vec![Ticket { expires: Timestamp(1), ..row.clone() }],
        vec![Ticket { issued: Timestamp(1), ..row.clone() }],
        vec![row.clone(), Ticket { no: "t-2".into(), ..row }],
    ];
    for rows in wrong {
        assert_eq!(audit(rows.clone()), [FindingKind::TicketRow], "{rows:?}");
    }
}
