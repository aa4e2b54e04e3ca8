//! Meters as sheets.

use std::collections::BTreeMap;

use punto_record::TableId;
use punto_rules::PatronNo;

use crate::meters::{Meter, Meters};
use crate::sheet::{Cell, ColumnKind, Sheet};

/// By table and by terminal.
pub(super) fn sheets(meters: &Meters, currencies: &BTreeMap<TableId, String>) -> Vec<Sheet> {
    let mut tables = sheet("meters-by-table", "Meters by table");
    let mut terminals = sheet("meters-by-terminal", "Meters by terminal");
    for (table, of) in meters.tables() {
        let currency = currencies.get(table).map_or("", String::as_str);
        tables.row(row(table, None, currency, &of.table));
        for (patron, meter) in &of.terminals {
            terminals.row(row(table, Some(*patron), currency, meter));
        }
    }
    for sheet in [&mut tables, &mut terminals] {
        sheet.note(
            "In − out = credits + felt + unclaimed + held − owed + wagered − won − returned + adjusted, after every event. \
             In is cash, tickets and chips; out is tickets, chips, unclaimed money paid in cash and forfeited payouts.",
        );
        sheet.note("Meters run from the first entry of the record to the last that was read.");
    }
    vec![tables, terminals]
}

fn sheet(id: &'static str, title: &'static str) -> Sheet {
    use ColumnKind::{Count, Money, Text};
    let columns = [
        ("table", "Table", Text),
        ("terminal", "Terminal", Text),
        ("currency", "Currency", Text),
        ("rounds", "Rounds", Count),
        ("voids", "Voids", Count),
        ("corrections", "Corrected", Count),
        ("cash_in", "Cash in", Money),
        ("tickets_in", "Tickets in", Money),
        ("chips_in", "Chips in", Money),
        ("tickets_out", "Tickets out", Money),
        ("chips_out", "Chips out", Money),
        ("unclaimed_out", "Unclaimed paid", Money),
        ("forfeited_out", "Forfeited", Money),
        ("wagered", "Wagered", Money),
        ("won", "Won", Money),
        ("returned", "Returned", Money),
        ("commission", "Commission", Money),
        ("adjusted", "Adjusted", Money),
        ("credits", "Credits", Money),
        ("felt", "Felt", Money),
        ("unclaimed", "Unclaimed", Money),
        ("held", "Held payouts", Money),
        ("owed", "Owed", Money),
        ("balanced", "Balanced", Text),
    ];
    Sheet::new(id, title, &columns)
}

fn row(table: &TableId, patron: Option<PatronNo>, currency: &str, meter: &Meter) -> Vec<Cell> {
    let terminal = patron.map_or_else(|| "all".to_owned(), |patron| patron.0.to_string());
    let counts = [meter.rounds, meter.voids, meter.corrections].map(|count| Cell::Count(count.into()));
    let amounts = [
        meter.cash_in,
        meter.tickets_in,
        meter.chips_in,
        meter.tickets_out,
        meter.chips_out,
        meter.unclaimed_out,
        meter.forfeited_out,
        meter.play.wagered,
        meter.play.won,
        meter.play.returned,
        meter.play.commission,
        meter.adjusted,
        meter.credits,
        meter.felt,
        meter.unclaimed,
        meter.held,
        meter.owed,
    ];
    let mut cells = vec![table.as_str().into(), terminal.into(), currency.into()];
    cells.extend(counts);
    cells.extend(amounts.map(Cell::Money));
    cells.push(if meter.is_balanced() { "yes" } else { "no" }.into());
    cells
}
