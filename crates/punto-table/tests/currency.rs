//! A table has one currency from its first opening on, and takes no ticket of another.

mod scripts;

use punto_record::{Event, Reason, ReasonKind};
use punto_table::script::{Outcome, Script, play};
use scripts::approved;

/// What became of the last order of a script.
fn last(text: &str) -> Outcome {
    let played = play(&Script::parse(text).expect("a script"), approved).expect("played");
    let steps = played.steps.iter().flat_map(|step| &step.orders);
    steps.last().expect("an order").1.clone()
}

fn refusal(text: &str) -> Reason {
    let Outcome::Refused(rejection) = last(text) else { panic!("{text}: not refused") };
    rejection.reason
}

const TABLES: [&str; 2] = ["table ncb-etg terminal", "table wu-song A"];

#[test]
fn a_ticket_of_another_currency_becomes_no_credits() {
    for table in TABLES {
        for who in ["patron 7", "cashier"] {
            let redeem = format!("{who}: redeem-ticket patron=7 ticket=T9/3\n");
            let with = |given: &str| format!("{table} currency=USD\ngiven ticket {given}\n{redeem}");
            let other = Reason::TicketOfAnotherCurrency { currency: Some("SGD".into()) };
            assert_eq!(refusal(&with("500 SGD")), other, "{table}, {who}");
            for good in ["500", "500 USD"] {
                let Outcome::Events(events) = last(&with(good)) else { panic!("{table}, {who}: {good}") };
                assert!(matches!(events[..], [Event::TicketRedeemed { .. }]), "{events:?}");
            }
        }
    }
    // Only people and terminals present tickets: an acceptor reads notes.
    let acceptor = "table ncb-etg terminal\nacceptor a-7 for 7: redeem-ticket patron=7 ticket=T9/3\n";
    if let Ok(script) = Script::parse(acceptor) {
        let played = play(&script, approved).expect("played");
        let (_, outcome) = &played.steps.last().expect("a line").orders[0];
        assert!(matches!(outcome, Outcome::Refused(it) if it.reason.kind() == ReasonKind::NotPermitted));
    }
}

#[test]
fn a_new_ticket_names_the_currency_of_its_table() {
    let text = "table ncb-etg terminal currency=EUR\ncashier: buy-credits patron=7 amount=500\n\
                patron 7: cash-out patron=7\n";
    let Outcome::Events(events) = last(text) else { panic!("not cashed out") };
    let [Event::CashedOut { currency, .. }] = &events[..] else { panic!("{events:?}") };
    assert_eq!(*currency, Some("EUR".into()));
}

#[test]
fn a_table_keeps_its_currency() {
    let keeps = |text: &str| {
        let reason = refusal(text);
        assert!(
            matches!(&reason, Reason::SettingsRefused { why } if why.contains("keeps its currency")),
            "{reason:?}"
        );
    };
    keeps("table ncb-etg terminal\nsettings ncb-etg terminal currency=USD\n");
    keeps(
        "table wu-song A money=chips limits=observed\nsettings wu-song A money=chips limits=observed currency=USD\n",
    );
    // Nor does it take another one by being closed and opened again.
    keeps(
        "table ncb-etg terminal\nadministrator: announce-closing\nadministrator: close-table\ntable ncb-etg terminal currency=USD\n",
    );
    // Everything else may change.
    let changed =
        last("table ncb-etg terminal currency=USD\nsettings ncb-etg terminal currency=USD ticket_days=3\n");
    assert!(matches!(changed, Outcome::Events(_)), "{changed:?}");
}

#[test]
fn a_currency_is_three_capital_letters() {
    for unfit in ["sgd", "SG", "SGDX", "S1D", "\"\""] {
        let reason = refusal(&format!("table ncb-etg terminal currency={unfit}\n"));
        assert!(
            matches!(&reason, Reason::UnfitText { field, .. } if field.ends_with("currency")),
            "{unfit}: {reason:?}"
        );
    }
}
