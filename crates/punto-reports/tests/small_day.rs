//! A small day at two tables, worked by hand: every figure of its reports can be checked with a pencil.

mod support;

#[path = "../../punto-table/tests/scripts/mod.rs"]
mod scripts;

use std::fmt::Write;

use punto_record::{Actor, Deed, Entry, HouseEntry, OrderId, Release, Seq, TableId, Timestamp};
use punto_reports::{
    Account, Accounts, Asked, Exporter, Filter, GamingDay, Report, Reporter, Row, RowKind, Sheet,
    Significance, html,
};
use punto_rules::Money;
use punto_table::script::{Script, play};
use scripts::approved;

/// A live table with chips. Amounts are cents.
///
/// Round 1: Player 0, Banker 6 with two cards. Banker 500 wins at 1 to 2 = 250; Tie 100 loses. House −250 + 100 = −150.
/// Round 2: Player 9 against 7 pays Player 400 at 1 to 1, House −400; then the first card turns out to be a six and
/// Banker's 7 wins: House +400. Patron 7 got 800 and must give them back: in chips, later, so they are owed.
/// Round 3: void, a joker. 200 go back.
/// Win −150 + 400 = 250, handle 500 + 100 + 400 = 1000: edge 25 %. Drop 3000: hold 250 ÷ 3000 = 8.333 %.
/// Tray: 10000 + 500 (fill) − 3000 (drop) − 150 + 400 − 800 (owed) = 6950; 6940 are counted, 10 are missing.
const CHIPS: &str = "# Chips.
table wu-song A money=chips limits=observed
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
supervisor: open-float amount=10000
supervisor: fill amount=500 slip=F-1
dealer: drop amount=3000
dealer: open-bets
dealer: record-chips patron=7 box=2 bet=banker stake=500
dealer: record-chips patron=8 box=2 bet=tie stake=100
dealer: close-bets
dealer: draw 2s 3d 3c 3h 5d
dealer: confirm-result
dealer: open-bets
dealer: record-chips patron=7 box=2 bet=player stake=400
dealer: close-bets
dealer: draw 9s 2d Kh 5c source=keyed
dealer: confirm-result
dealer: report wrong-result round=2 words=\"the first card is a six\"
supervisor: rule 1 correct cards=[6s 2d Kh 5c] second=manager reason=\"the first card is a six\"
dealer: open-bets
dealer: record-chips patron=9 box=3 bet=banker stake=200
dealer: close-bets
dealer: draw foreign:joker
supervisor: rule 2 void reason=\"a joker\"
supervisor: close-float counted=6940
";

/// An electronic table.
///
/// Patron 3 buys 1000, patron 4 redeems a ticket of 500. Round 1: Player 9 against 7. Patron 3 has 300 on Player and wins
/// 300; patron 4 has 200 on Banker and 20 on Tie and loses both. House −300 + 220 = −80. Handle 520.
/// Patron 3 leaves with a ticket of 1300, patron 4 keeps 280.
const CREDITS: &str = "# Credits.
table ncb-etg terminal decks=8
dealer: load-shoe card_set=red-4 shuffled_by=shuffler-1
cashier: buy-credits patron=3 amount=1000
given ticket 500
cashier: redeem-ticket patron=4 ticket=T-500
dealer: open-bets
patron 3: bet player 300
patron 4: bet banker 200
patron 4: bet tie 20
+20s
house: close-bets
dealer: draw 9s 2d Kh 5c
dealer: confirm-result
patron 3: cash-out patron=3
";

fn entries(text: &str) -> Vec<Entry> {
    let script = Script::parse(text).unwrap_or_else(|fault| panic!("{fault}"));
    let played = play(&script, approved).unwrap_or_else(|fault| panic!("{fault}"));
    for step in &played.steps {
        assert!(
            !step.happened.iter().any(|it| it.starts_with('!')),
            "{}: {:?}",
            step.line.text,
            step.happened
        );
    }
    played.entries
}

fn deed(seq: u64, deed: Deed) -> HouseEntry {
    HouseEntry {
        seq: Seq(seq),
        id: OrderId { device: "cage".into(), n: seq },
        by: Actor::Cashier { person: "c-1".into() },
        at: Timestamp(1_767_225_600_000),
        deed,
        release: Release("test".into()),
    }
}

fn report(filter: Filter) -> Report {
    // A week and a second after the day began.
    let at = Timestamp(1_767_225_600_000 + 7 * 86_400_000 + 60_000);
    let large_win = Money::new(300);
    let mut reporter = Reporter::new(Asked { filter, at, large_win, significant: Vec::new() });
    for (table, text) in [("chips", CHIPS), ("credits", CREDITS)] {
        let table: TableId = table.into();
        entries(text).iter().for_each(|entry| reporter.enter(&table, entry));
    }
    reporter.enter_deed(&deed(1, Deed::SoftwareStopped {}));
    let (ticket, amount) = ("T-9".into(), Money::new(700).expect("money"));
    let (second, reason) = ("c-2".into(), "torn".into());
    reporter.enter_deed(&deed(
        2,
        Deed::TicketVoided { ticket, amount, currency: Some("SGD".into()), second, reason },
    ));
    reporter.finish()
}

fn text(sheet: &Sheet) -> String {
    let (names, rows) = sheet.plain();
    let mut text = format!("{}\n{}\n", sheet.title, names.join(" | "));
    rows.for_each(|row| writeln!(text, "{}", row.join(" | ")).expect("text"));
    text
}

#[test]
fn the_day_in_figures() {
    let report = report(Filter::default());
    let tables = &report.win.tables;
    let chips = &tables[&("SGD".into(), "chips".into())];
    assert_eq!((chips.win(), chips.play.played, chips.rounds), (250, 1000, 2));
    assert_eq!(chips.edge().expect("an edge").to_string(), "25.000 %");
    assert_eq!(chips.hold().expect("a hold").to_string(), "8.333 %");
    let credits = &tables[&("SGD".into(), "credits".into())];
    assert_eq!((credits.win(), credits.play.played, credits.rounds), (-80, 520, 1));
    assert_eq!(credits.edge().expect("an edge").to_string(), "−15.385 %");
    assert_eq!(credits.hold(), None, "no drop box, no hold");
    // The day's drop is that of the chip table alone, and so is the win over it.
    let day = report.win.days.values().next().expect("a day");
    assert_eq!((day.win(), day.hold().map(|it| it.to_string())), (170, Some("8.333 %".to_owned())));
    let session = &report.floats.sessions[0];
    assert_eq!((session.expected, session.difference()), (Some(6950), Some(-10)));
    // 6940 + 3000 − 10000 − 500 = −560: the win of 250 less 800 that are owed less 10 that are missing.
    assert_eq!(session.win_by_tray(), Some(-560));
    assert_eq!(report.liability.tickets()["SGD"].under_a_month.amount, 1300);
    assert_eq!(report.liability.owed()["SGD"].total().amount, 800);
    let json = serde_json::to_value(&report).expect("JSON");
    assert_eq!(json["meters"]["chips"]["terminals"]["7"]["owed"], 800);
    let all: String = report.sheets().iter().map(|sheet| text(sheet) + "\n").collect();
    insta::assert_snapshot!("small_day", all);
}

#[test]
fn a_filter_leaves_the_rest_out() {
    let only = report(Filter { table: Some("credits".into()), ..Filter::default() });
    assert_eq!(only.win.tables.len(), 1);
    assert!(only.floats.sessions.is_empty());
    // The scripts play on 1 January 2026 from 08:00 in Singapore.
    let day = |text| Some(GamingDay::parse(text).expect("a day"));
    let the_day = report(Filter { day: day("2026-01-01"), ..Filter::default() });
    assert_eq!(the_day.win, report(Filter::default()).win);
    let before = report(Filter { day: day("2025-12-31"), ..Filter::default() });
    assert!(before.win.tables.is_empty() && before.exceptions.exceptions.is_empty());
    assert_eq!(before.liability.owed()["SGD"].total().amount, 800, "what is owed is owed on every day");
    let nothing = report(Filter { until: Some(Timestamp(0)), ..Filter::default() });
    assert!(nothing.win.tables.is_empty() && nothing.significant.events.is_empty());
}

#[test]
fn significant_events_can_be_picked() {
    let report = report(Filter::default());
    let wins = report.significant.sheet(&[Significance::LargeWin]);
    let words: Vec<String> = wins.rows.iter().map(|row| row[6].plain()).collect();
    // Patron 7's win of Round 2 was paid before it was corrected.
    assert_eq!(words, ["Round 2: patron 7 won 4.00 SGD", "Round 1: patron 3 won 3.00 SGD"]);
    let keyed = report.significant.sheet(&[Significance::KeyedCard]);
    assert_eq!(keyed.rows.len(), 4);
}

#[test]
fn the_page_stands_alone_and_is_well_formed() {
    let page = html(&report(Filter::default()));
    for word in ["http:", "https:", "src=", "url(", "@import", "<script", "<link", "<img"] {
        assert!(!page.contains(word), "`{word}` in the page");
    }
    assert!(page.matches("<svg").count() >= 3, "the plots are there");
    assert!(page.contains("8.333 %") && page.contains("25.000 %"));
    let mut open: Vec<&str> = Vec::new();
    let (head, rest) = page.split_once("<style>").expect("a style");
    let body = rest.split_once("</style>").expect("its end").1;
    for tag in [head, body].into_iter().flat_map(|part| part.split('<').skip(1)) {
        let tag = tag.split_once('>').expect("a tag ends").0;
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().expect("a name");
        if tag.starts_with('!') || tag.ends_with('/') || name == "meta" {
            continue;
        }
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|it| it.split('"').next()).collect();
    let once: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), once.len(), "an id stands twice");
}

/// Worked by hand. Chips: 1200 were laid on the felt, 750 + 800 + 200 came back and 3000 were bought: 3550 are with patrons. The
/// tray is empty after its count; the cage sent 10500 and got 6940. Credits: patron 4 has 280; a ticket of 500 came from elsewhere
/// and one of 1300 went out, so tickets stand at 800.
#[test]
fn the_trial_balance() {
    let mut accounts = Accounts::default();
    for (table, text) in [("chips", CHIPS), ("credits", CREDITS)] {
        entries(text).iter().for_each(|entry| accounts.enter(&table.into(), entry).expect("the books agree"));
    }
    assert_eq!(
        text(&accounts.sheet()),
        "Trial balance\n\
         account | debit | credit | currency\n\
         cage-cash | 10.00 |  | SGD\n\
         tickets |  | 8.00 | SGD\n\
         cage-chips |  | 35.60 | SGD\n\
         credits/credits/4 |  | 2.80 | SGD\n\
         owed/chips/7 | 8.00 |  | SGD\n\
         house-win/chips |  | 2.50 | SGD\n\
         house-win/credits | 0.80 |  | SGD\n\
         chips/chips |  | 35.50 | SGD\n\
         drop-box/chips | 30.00 |  | SGD\n\
         across-the-felt/chips | 35.50 |  | SGD\n\
         float-difference/chips | 0.10 |  | SGD\n\
         all | 84.40 | 84.40 | SGD\n"
    );
}

/// Two tables of different currency issue a ticket each; the later one has the name that the cage pays.
#[test]
fn each_currency_has_books_of_its_own() {
    let mut accounts = Accounts::default();
    for (table, currency) in [("S", "SGD"), ("U", "USD")] {
        let text = format!(
            "table ncb-etg terminal currency={currency}\ncashier: buy-credits patron=7 amount=500\n\
             patron 7: cash-out patron=7\n"
        );
        entries(&text)
            .iter()
            .for_each(|entry| accounts.enter(&table.into(), entry).expect("the books agree"));
    }
    let of =
        |accounts: &Accounts, currency: &'static str, account| accounts.balance(&currency.into(), &account);
    for currency in ["SGD", "USD"] {
        assert_eq!(of(&accounts, currency, Account::Tickets), 500);
        assert_eq!(of(&accounts, currency, Account::CageCash), 500);
    }
    let redeem = entries(
        "table ncb-etg terminal\ngiven ticket 500\npatron 8: redeem-ticket patron=8 ticket=ticket-1\n",
    );
    let mut elsewhere = accounts.clone();
    let found = redeem.iter().find_map(|entry| elsewhere.enter(&"R".into(), entry).err());
    let mismatch = found.expect("a ticket of USD is no money of a table with SGD");
    assert!(mismatch.what.contains("of USD, in SGD"), "{mismatch}");
    // The cage of an earlier build did not say in which currency it paid.
    let (ticket, amount) = ("ticket-1".into(), Money::new(500).expect("money"));
    let paid = accounts.enter_deed(&deed(
        1,
        Deed::TicketPaid { ticket, amount, currency: None, second: None, reason: None },
    ));
    assert_eq!(paid.expect("the books agree").map(|it| it.currency), Some("USD".into()));
    assert_eq!((of(&accounts, "USD", Account::Tickets), of(&accounts, "SGD", Account::Tickets)), (0, 500));
    let sums: Vec<i128> = accounts.trial_balance().into_values().collect();
    assert!(sums.len() >= 2 && sums.iter().all(|sum| *sum == 0), "{sums:?}");
}

#[test]
fn names_cannot_break_the_page() {
    let mut reporter = Reporter::new(Asked::everything(Timestamp(1_767_225_600_000)));
    let table = TableId::as_recorded("<b>&\"x");
    entries(CREDITS).iter().for_each(|entry| reporter.enter(&table, entry));
    let page = html(&reporter.finish());
    assert!(page.contains("&lt;b&gt;&amp;&quot;x") && !page.contains("<b>"));
}

#[test]
fn the_day_in_rows() {
    let mut exporter = Exporter::default();
    let mut rows: Vec<Row> = Vec::new();
    for (table, text) in [("chips", CHIPS), ("credits", CREDITS)] {
        let table: TableId = table.into();
        for entry in entries(text) {
            exporter.rows_of(&table, &entry, &mut |row| rows.push(row));
        }
    }
    let (ticket, amount) = ("ticket-1".into(), Money::new(1300).expect("money"));
    exporter.rows_of_deed(
        &deed(1, Deed::TicketPaid { ticket, amount, currency: None, second: None, reason: None }),
        &mut |row| rows.push(row),
    );
    exporter.finish(&mut |row| rows.push(row));
    let mut all = String::new();
    for kind in RowKind::ALL {
        let names: Vec<&str> = kind.columns().iter().map(|(name, _)| *name).collect();
        writeln!(all, "{}\n{}", kind.id(), names.join(",")).expect("text");
        for row in rows.iter().filter(|row| row.kind() == *kind) {
            assert_eq!(row.cells().len(), names.len());
            let json = serde_json::to_value(row).expect("JSON");
            assert_eq!(json.as_object().expect("an object").len(), names.len());
            // Events hold whole rule books: their JSON is their own business.
            let shown =
                if *kind == RowKind::Event { row.cells()[..9].join(",") } else { row.cells().join(",") };
            writeln!(all, "{shown}").expect("text");
        }
        all.push('\n');
    }
    insta::assert_snapshot!("small_day_rows", all);
}
