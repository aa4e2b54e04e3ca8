//! Tickets across tables: issued once, used up once, and the store's rows are what the record says.

use crate::ledger;
use crate::ledger::{EARLY, Ledger, key, ledger_of, told};
use punto_audit::{Audit, Auditor, FindingKind, Inputs};
use punto_record::{
    Actor, Command, Deed, Entry, Event, LedgerKind, Settings, Ticket, TicketKey, TicketNo, TicketState,
    TicketTag, Timestamp,
};
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
    let paid = paid(500, None);
    let mut twice = ledger.clone();
    twice.deed_at(Actor::Cashier { person: "c".into() }, EARLY + DAY, paid);
    assert_eq!(kinds(&twice.audit_entries()), [FindingKind::TicketNotGood]);
    let mut never = Ledger::founded(LedgerKind::Demo, &key(1));
    entries.iter().for_each(|entry| never.plain_entry(&ledger::table_of(&entries), entry));
    assert_eq!(kinds(&never.audit_entries()), [FindingKind::TicketNotGood]);
}

fn paid(minor: u64, currency: Option<&'static str>) -> Deed {
    let (amount, currency) = (money(minor), currency.map(Into::into));
    Deed::TicketPaid { ticket: "t-1".into(), amount, currency, second: None, reason: None }
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
    let paid = |minor| paid(minor, None);
    let void = |second: &str| Deed::TicketVoided {
        ticket: "t-1".into(),
        amount: money(500),
        currency: None,
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

/// Whatever became of a ticket, and whoever is named as the second person: an expired one is paid by two, once, and a good one
/// by one.
#[test]
fn an_expired_ticket_is_paid_by_two() {
    let no: TicketNo = "t-1".into();
    let by = |second: Option<&str>, reason: Option<&str>| {
        let mut deed = paid(500, None);
        if let Deed::TicketPaid { second: two, reason: why, .. } = &mut deed {
            (*two, *why) = (second.map(punto_record::Person::as_recorded), reason.map(Into::into));
        }
        deed
    };
    let void = Deed::TicketVoided {
        ticket: no.clone(),
        amount: money(500),
        currency: None,
        second: "s".into(),
        reason: "torn".into(),
    };
    use FindingKind::{NoReason, SecondPerson, TicketNotGood};
    let (soon, late) = (EARLY + DAY, EARLY + 31 * DAY);
    let used =
        [vec![], vec![(soon, by(None, None))], vec![(soon, void)], vec![(late, by(Some("s"), Some("ill")))]];
    for (at, before) in used.into_iter().enumerate() {
        for when in [soon, late] {
            if before.last().is_some_and(|(then, _)| *then > when) {
                continue;
            }
            for (deed, wrong) in [
                (by(None, None), None),
                (by(Some("c"), Some("ill")), Some(SecondPerson)),
                (by(Some(" "), Some("ill")), Some(SecondPerson)),
                (by(Some("s"), None), Some(NoReason)),
                (by(Some("s"), Some(" ")), Some(NoReason)),
                (by(Some("s"), Some("ill")), None),
            ] {
                let is_alone = deed.second().is_none();
                let mut deeds = before.clone();
                deeds.push((when, deed.clone()));
                let mut expected: Vec<FindingKind> = wrong.into_iter().collect();
                expected.extend((at > 0).then_some(TicketNotGood));
                expected.extend((is_alone && when == late).then_some(TicketNotGood));
                assert_eq!(
                    kinds(&at_the_cage(LedgerKind::Demo, &no, deeds)),
                    expected,
                    "used {at}, at {when}: {deed:?}"
                );
            }
        }
    }
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

/// A ledger in which T1 issues a ticket of this release, as forged by `change`, with the key adopted that is named.
fn issues(adopted: &[u8], change: impl Fn(&mut Vec<Entry>, &dyn Fn(u64, u32) -> TicketTag)) -> Ledger {
    let mut ledger = Ledger::founded(LedgerKind::Demo, &key(1));
    let mut before = None;
    for n in adopted {
        let key = TicketKey::new([*n; 32]).id().clone();
        ledger.deed(Actor::House, Deed::TicketKeyAdopted { key: key.clone(), before });
        before = Some(key);
    }
    let text = "table ncb-etg terminal\ncashier: buy-credits patron=7 amount=500\npatron 7: cash-out patron=7\n\
                cashier: buy-credits patron=7 amount=500\npatron 7: cash-out patron=7\n";
    let mut entries = script(text);
    let (of, table) = (ledger.leaves[0].1.chain, ledger::table_of(&entries));
    let orders: Vec<_> = entries.iter().map(|entry| entry.order.id.clone()).collect();
    let tag = |seq: u64, attempt: u32| {
        let key = TicketKey::new([1; 32]);
        key.tag(of, &key.number(of, &table, &orders[seq as usize - 1], attempt))
    };
    for entry in &mut entries {
        let seq = entry.seq;
        for event in &mut entry.events {
            if let Event::CashedOut { ticket, tag: of_event, .. } = event {
                (*ticket, *of_event) = (TicketNo::serial(&table, seq), Some(tag(seq.0, 0)));
            }
        }
    }
    change(&mut entries, &tag);
    entries.iter().for_each(|entry| ledger.plain_entry(&table, entry));
    ledger
}

#[test]
fn tickets_of_this_release_are_named_by_serials_and_found_by_tags() {
    let with_key = |ledger: &Ledger| {
        let ticket_keys = vec![TicketKey::new([1; 32])];
        kinds(&ledger.audit_entries_with(Inputs { ticket_keys, ..Inputs::default() }))
    };
    let both = |ledger: &Ledger| (kinds(&ledger.audit_entries()), with_key(ledger));
    let sound = issues(&[1], |_, _| {});
    assert_eq!(both(&sound), (vec![], vec![]), "{}", told(&sound.audit_entries()));
    let issued = |entries: &mut Vec<Entry>,
                  nth: usize,
                  set: &dyn Fn(&mut TicketNo, &mut Option<TicketTag>, &mut u32)| {
        let out = entries.iter_mut().flat_map(|entry| &mut entry.events);
        let mut out = out.filter(|event| matches!(event, Event::CashedOut { .. }));
        let Some(Event::CashedOut { ticket, tag, attempt, .. }) = out.nth(nth) else { panic!("a ticket") };
        set(ticket, tag, attempt);
    };
    let wrong = vec![FindingKind::WrongTicket];
    // Another number of the same order, as it is written down.
    let next = issues(&[1], |entries, tag| {
        let of_next = tag(3, 1);
        issued(entries, 0, &|_, it, attempt| (*it, *attempt) = (Some(of_next.clone()), 1));
    });
    assert_eq!(both(&next), (vec![], vec![]));
    // What needs no key to be found.
    let named = issues(&[1], |entries, _| issued(entries, 0, &|ticket, _, _| *ticket = "T9/3".into()));
    assert_eq!(both(&named), (wrong.clone(), wrong.clone()));
    let twice = issues(&[1], |entries, tag| {
        let first = tag(3, 0);
        issued(entries, 1, &|_, it, _| *it = Some(first.clone()));
    });
    assert_eq!(both(&twice).0, wrong);
    for adopted in [&[][..], &[2], &[1, 2]] {
        let found = both(&issues(adopted, |_, _| {}));
        assert_eq!(found.0, [FindingKind::WrongTicket; 2], "{adopted:?}");
    }
    let again = issues(&[1, 2, 2, 1], |_, _| {});
    assert_eq!(both(&again).0, wrong, "a key that follows itself");
    // What the key alone shows.
    let forged = issues(&[1], |entries, tag| {
        let of_next = tag(3, 1);
        issued(entries, 0, &|_, it, _| *it = Some(of_next.clone()));
    });
    assert_eq!(both(&forged), (vec![], wrong));
}

/// The last entry again, as another order with these events.
fn forged(entries: &[Entry], command: Command, event: Event) -> Entry {
    let last = entries.last().expect("an entry");
    let mut entry = entries[0].clone();
    (entry.seq, entry.order.at) = (last.seq.next(), last.order.at);
    entry.order.id.n += 100;
    (entry.order.command, entry.events) = (command, vec![event]);
    entry
}

#[test]
fn a_ticket_is_used_in_the_currency_of_the_table_that_issued_it() {
    // The table that issues it has SGD.
    let no: TicketNo = "t-1".into();
    let paid = |currency| paid(500, currency);
    let void = |currency: &'static str| Deed::TicketVoided {
        ticket: "t-1".into(),
        amount: money(500),
        currency: Some(currency.into()),
        second: "s".into(),
        reason: "torn".into(),
    };
    let soon = EARLY + DAY;
    let audit = |deed| kinds(&at_the_cage(LedgerKind::Demo, &no, vec![(soon, deed)]));
    assert_eq!(audit(paid(Some("SGD"))), []);
    assert_eq!(audit(paid(None)), [], "earlier builds did not say");
    assert_eq!(audit(paid(Some("USD"))), [FindingKind::TicketNotGood]);
    assert_eq!(audit(void("SGD")), []);
    assert_eq!(audit(void("USD")), [FindingKind::TicketNotGood]);
    // At a table of another currency; the table itself was told that the ticket is of its own.
    let text = "table ncb-etg terminal currency=USD\ngiven ticket 500\npatron 7: redeem-ticket patron=7 ticket=t-1\n";
    let elsewhere = ledger_of(&script(text)).audit();
    assert_eq!(kinds(&elsewhere), [FindingKind::TicketNotGood]);
    let words = "was issued in SGD, and used in USD";
    assert!(told(&elsewhere).contains(words), "{}", told(&elsewhere));
    // The issuing entry names none, as earlier builds did, or another one than its table has.
    let named = |currency: Option<&'static str>| {
        let ledger = issues(&[1], |entries, _| {
            for event in entries.iter_mut().flat_map(|entry| &mut entry.events) {
                if let Event::CashedOut { currency: named, .. } = event {
                    *named = currency.map(Into::into);
                }
            }
        });
        kinds(&ledger.audit_entries())
    };
    assert_eq!(named(None), []);
    assert!(named(Some("USD")).contains(&FindingKind::WrongTicket));
}

#[test]
fn a_currency_that_changes_under_money_is_found() {
    let changed = |text: &str| {
        let mut entries = script(text);
        let Event::TableOpened { settings, rulebook, digest, .. } = entries[0].events[0].clone() else {
            panic!("a table opens first")
        };
        let settings = Box::new(Settings { currency: "USD".into(), ..*settings });
        let command =
            Command::ChangeSettings { settings: settings.clone(), rulebook: rulebook.clone(), second: None };
        let event = Event::SettingsChanged { settings, rulebook, digest, second: None, approval: None };
        entries.push(forged(&entries, command, event));
        kinds(&ledger_of(&entries).audit_entries())
    };
    let empty = "table ncb-etg terminal\n";
    assert_eq!(changed(empty), [], "earlier builds let an empty table do that");
    let standing = "table ncb-etg terminal\ncashier: buy-credits patron=7 amount=500\n";
    assert!(changed(standing).contains(&FindingKind::WrongSettings), "{:?}", changed(standing));
}
