//! Afterwards: the record is read back and compared with what terminals were told, to the cent.

use std::collections::{BTreeMap, HashMap};

use futures_util::{StreamExt as _, stream};
use punto_record::{Change, DeviceId, Entry, Event, Seq, TableId};
use punto_rules::{Money, PatronNo};
use serde::{Deserialize, Serialize};

use super::terminal::{Fate, Sent, Terminal};
use super::{Options, Progress, SignIn, SignIns, Watch};
use crate::client::{Error, Http, pause};

/// How often a server that is gone is asked again.
const ATTEMPTS: u32 = 40;

/// Entries that are asked for at once, and terminals that are connected again at once.
const ENTRIES: usize = 5_000;
const AT_ONCE: usize = 32;

/// Differences that are listed; all are counted.
const LISTED: usize = 100;

/// What the record says, compared with what was acknowledged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reconciled {
    /// Entries read back.
    pub entries: u64,
    /// Wagers that were acknowledged and are in the record.
    pub wagers: u64,
    /// What was staked on them, in minor units.
    pub staked: u64,
    /// Wagers that got no answer to the end; the record may have them or not.
    pub unanswered: u64,
    /// How many differences there are.
    pub differences: u64,
    /// The first of them.
    pub listed: Vec<Difference>,
}

/// Where the record and what was acknowledged differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "difference", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Difference {
    /// A wager was acknowledged and is not in the record, or not so often as it should be.
    Acknowledged { device: DeviceId, n: u64, stake: Money, in_record: u64 },
    /// A wager is in the record with another amount.
    Amount { device: DeviceId, n: u64, stake: Money, in_record: u64 },
    /// A wager was refused and is in the record.
    Refused { device: DeviceId, n: u64 },
    /// An entry of a terminal that never sent it.
    NeverSent { device: DeviceId, n: u64, seq: Seq },
    /// A terminal was shown other credits than the record has.
    Credits { device: DeviceId, seq: Seq, shown: Money, in_record: i128 },
    /// A terminal that could not go on, or could not be shown its credits at the end.
    Lost { device: DeviceId, why: String },
}

impl Reconciled {
    fn differs(&mut self, difference: Difference) {
        self.differences += 1;
        if self.listed.len() < LISTED {
            self.listed.push(difference);
        }
    }
}

/// A part of a table's record, as it is told.
#[derive(Deserialize)]
struct Told {
    entries: Vec<Entry>,
    head: Seq,
}

/// Reads the record of all tables back and compares.
pub(super) async fn reconcile(
    http: &Http,
    options: &Options,
    tables: &[TableId],
    terminals: Vec<Terminal>,
    watch: Watch<'_>,
) -> Result<Reconciled, Error> {
    let mut reconciled = Reconciled::default();
    // The view that terminals made of frames, then the one that a new connection is shown.
    let look = async |mut terminal: Terminal| {
        let by_frames = terminal.shown;
        let anew = terminal.shown_anew().await;
        (terminal, by_frames, anew)
    };
    let looked: Vec<_> = stream::iter(terminals).map(look).buffer_unordered(AT_ONCE).collect().await;
    let mut books: BTreeMap<TableId, TableBook> = BTreeMap::new();
    for (terminal, by_frames, anew) in looked {
        let book = books.entry(terminal.table().clone()).or_default();
        book.shown
            .extend(by_frames.map(|(seq, credits)| (seq, terminal.device.clone(), terminal.patron, credits)));
        match anew {
            Ok((seq, credits)) => {
                book.shown.push((seq, terminal.device.clone(), terminal.patron, credits));
            }
            Err(error) => {
                let (device, why) = (terminal.device.clone(), error.to_string());
                reconciled.differs(Difference::Lost { device, why });
            }
        }
        if let Some(error) = &terminal.lost {
            let (device, why) = (terminal.device.clone(), error.to_string());
            reconciled.differs(Difference::Lost { device, why });
        }
        book.senders.insert(terminal.device, Sender { patron: terminal.patron, sent: terminal.sent });
    }
    let sign_ins = match &options.sign_ins {
        Some(named) => named.clone(),
        None => SignIns::of_demonstration_again(&options.url).await?,
    };
    let SignIn { person, password } = sign_ins.auditor;
    let auditor = patiently(async || http.sign_in(person.as_str(), &password).await).await?;
    for table in tables {
        let mut book = books.remove(table).unwrap_or_default();
        book.shown.sort_by_key(|(seq, ..)| std::cmp::Reverse(*seq));
        let mut after = Seq(0);
        loop {
            let path = format!("/api/tables/{table}/entries?after={after}&limit={ENTRIES}");
            let Told { entries, head } = patiently(async || auditor.get(&path).await).await?;
            reconciled.entries += entries.len() as u64;
            for entry in &entries {
                book.enter(entry, &mut reconciled);
            }
            watch(Progress::ReadBack(reconciled.entries));
            match entries.last() {
                Some(last) if last.seq < head => after = last.seq,
                Some(_) | None => break,
            }
        }
        book.close(&mut reconciled);
    }
    Ok(reconciled)
}

/// Asks again while the server is gone: it may be killed and come back also while the record is read.
async fn patiently<T>(ask: impl AsyncFn() -> Result<T, Error>) -> Result<T, Error> {
    for failures in 0..ATTEMPTS {
        match ask().await {
            Err(error) if error.passes() => tokio::time::sleep(pause(failures)).await,
            answer => return answer,
        }
    }
    ask().await
}

/// A terminal, by what it sent.
struct Sender {
    patron: PatronNo,
    sent: Vec<Sent>,
}

/// What is known about one table while its record is read.
#[derive(Default)]
struct TableBook {
    senders: HashMap<DeviceId, Sender>,
    /// What terminals were shown, latest first.
    shown: Vec<(Seq, DeviceId, PatronNo, Money)>,
    credits: HashMap<PatronNo, i128>,
    /// Amounts of the wagers in the record, by order.
    in_record: HashMap<(DeviceId, u64), Vec<Money>>,
}

impl TableBook {
    fn enter(&mut self, entry: &Entry, reconciled: &mut Reconciled) {
        self.compare_before(entry.seq, reconciled);
        for event in &entry.events {
            moves(event, &mut |patron, by| *self.credits.entry(patron).or_default() += by);
        }
        let id = &entry.order.id;
        let Some(sender) = self.senders.get(&id.device) else { return };
        // A terminal numbers its orders one after another.
        if sender.sent.binary_search_by_key(&id.n, |sent| sent.n).is_err() {
            let (device, n, seq) = (id.device.clone(), id.n, entry.seq);
            return reconciled.differs(Difference::NeverSent { device, n, seq });
        }
        let amounts = self.in_record.entry((id.device.clone(), id.n)).or_default();
        amounts.extend(entry.events.iter().filter_map(|event| registered(event, sender.patron)));
    }

    /// Compares what was shown up to before this entry.
    fn compare_before(&mut self, seq: Seq, reconciled: &mut Reconciled) {
        while let Some((held, ..)) = self.shown.last()
            && *held < seq
            && let Some((seq, device, patron, shown)) = self.shown.pop()
        {
            let in_record = self.credits.get(&patron).copied().unwrap_or_default();
            if i128::from(shown.get()) != in_record {
                reconciled.differs(Difference::Credits { device, seq, shown, in_record });
            }
        }
    }

    /// The record is at its end.
    fn close(mut self, reconciled: &mut Reconciled) {
        self.compare_before(Seq(u64::MAX), reconciled);
        for (device, sender) in &self.senders {
            for sent in &sender.sent {
                let none = Vec::new();
                let amounts = self.in_record.get(&(device.clone(), sent.n)).unwrap_or(&none);
                let (device, n, stake) = (device.clone(), sent.n, sent.stake);
                let in_record = amounts.iter().map(|amount| amount.get()).sum();
                match (sent.fate, amounts.as_slice()) {
                    (Fate::Registered, [amount]) if *amount == stake => {
                        reconciled.wagers += 1;
                        reconciled.staked += stake.get();
                    }
                    (Fate::Registered | Fate::Open, [_]) if in_record != stake.get() => {
                        reconciled.differs(Difference::Amount { device, n, stake, in_record });
                    }
                    (Fate::Registered, others) | (Fate::Open, others @ [_, _, ..]) => {
                        let in_record = others.len() as u64;
                        reconciled.differs(Difference::Acknowledged { device, n, stake, in_record });
                    }
                    (Fate::Open, [] | [_]) => reconciled.unanswered += 1,
                    (Fate::Refused, []) => {}
                    (Fate::Refused, [_, ..]) => reconciled.differs(Difference::Refused { device, n }),
                }
            }
        }
    }
}

fn registered(event: &Event, of: PatronNo) -> Option<Money> {
    if let Event::WagerRegistered { patron, amount, .. } = event
        && *patron == of
    {
        return Some(*amount);
    }
    None
}

/// What an event does to somebody's credits, worked out here once more: bought, staked, returned, won.
fn moves(event: &Event, by: &mut impl FnMut(PatronNo, i128)) {
    let plus = |amount: Money| i128::from(amount.get());
    if let Event::CreditsBought { patron, amount, .. }
    | Event::NoteAccepted { patron, amount, .. }
    | Event::TicketRedeemed { patron, amount, .. }
    | Event::WagerWithdrawn { patron, amount, .. } = event
    {
        by(*patron, plus(*amount));
    } else if let Event::WagerRegistered { patron, amount, .. }
    | Event::CashedOut { patron, amount, .. }
    | Event::Collected { patron, amount, .. }
    | Event::CashOutHeld { patron, amount, .. }
    | Event::UnclaimedKept { patron, amount, .. } = event
    {
        by(*patron, -plus(*amount));
    } else if let Event::PayoutHeld { patron, amount, from_unclaimed, .. } = event {
        by(*patron, plus(*from_unclaimed) - plus(*amount));
    } else if let Event::RoundSettled { lines, .. } = event {
        lines.iter().for_each(|line| by(line.patron, plus(line.to_patron)));
    } else if let Event::RoundVoided { returns, changes, .. } = event {
        returns.iter().for_each(|it| by(it.patron, plus(it.amount)));
        changes.iter().for_each(|it| change(it, by));
    } else if let Event::ChoiceMade { returns, .. } = event {
        returns.iter().for_each(|it| by(it.patron, plus(it.amount)));
    } else if let Event::RoundCorrected { changes, .. } | Event::Adjusted { changes, .. } = event {
        changes.iter().for_each(|it| change(it, by));
    }
}

fn change(change: &Change, by: &mut impl FnMut(PatronNo, i128)) {
    by(change.patron, i128::from(change.paid.get()) - i128::from(change.taken.get()));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn money(amount: u64) -> Money {
        Money::new(amount).expect("an amount")
    }

    /// An entry by a terminal, with these events.
    fn entry(seq: u64, device: &str, n: u64, events: serde_json::Value) -> Entry {
        let order = json!({
            "id": { "device": device, "n": n }, "by": { "as": "patron", "patron": 1 }, "at": 5, "round": 1,
            "command": { "do": "place-wager", "patron": 1, "bet": "player", "stake": 100 },
        });
        let entry = json!({ "seq": seq, "order": order, "events": events, "release": "test" });
        serde_json::from_value(entry).expect("an entry")
    }

    fn bought(amount: u64) -> serde_json::Value {
        json!([{ "event": "credits-bought", "patron": 1, "amount": amount, "credits": amount }])
    }

    fn registered(amount: u64) -> serde_json::Value {
        json!([{ "event": "wager-registered", "patron": 1, "bet": "player", "amount": amount, "stake": amount }])
    }

    /// Terminal `t` bought 1,000 and sent wagers of 100 with these fates, numbered from 1.
    fn compared(fates: &[Fate], shown: &[(u64, u64)], entries: &[Entry]) -> Reconciled {
        let mut reconciled = Reconciled::default();
        let sent = fates.iter().zip(1..).map(|(fate, n)| Sent { n, stake: money(100), fate: *fate });
        let mut book = TableBook::default();
        book.senders.insert("t".into(), Sender { patron: PatronNo(1), sent: sent.collect() });
        let shown = shown.iter().rev();
        book.shown =
            shown.map(|(seq, credits)| (Seq(*seq), "t".into(), PatronNo(1), money(*credits))).collect();
        book.enter(&entry(1, "cage", 1, bought(1_000)), &mut reconciled);
        entries.iter().for_each(|entry| book.enter(entry, &mut reconciled));
        book.close(&mut reconciled);
        reconciled
    }

    #[test]
    fn what_agrees_is_counted() {
        let entries = [entry(2, "t", 1, registered(100)), entry(3, "t", 3, registered(100))];
        let fates = [Fate::Registered, Fate::Refused, Fate::Open, Fate::Open];
        let reconciled = compared(&fates, &[(1, 1_000), (2, 900), (3, 800)], &entries);
        assert_eq!(reconciled.listed, []);
        assert_eq!((reconciled.wagers, reconciled.staked, reconciled.unanswered), (1, 100, 2));
    }

    #[test]
    fn every_difference_is_found() {
        let (device, stake): (DeviceId, Money) = ("t".into(), money(100));
        let one = |fates: &[Fate], shown: &[(u64, u64)], entries: &[Entry]| {
            let Reconciled { differences, mut listed, .. } = compared(fates, shown, entries);
            assert_eq!((differences, listed.len()), (1, 1), "{listed:?}");
            listed.remove(0)
        };
        let missing = one(&[Fate::Registered], &[], &[]);
        assert_eq!(missing, Difference::Acknowledged { device: device.clone(), n: 1, stake, in_record: 0 });
        let twice = [entry(2, "t", 1, registered(100)), entry(3, "t", 1, registered(100))];
        for fate in [Fate::Registered, Fate::Open] {
            let doubled = one(&[fate], &[], &twice);
            assert_eq!(
                doubled,
                Difference::Acknowledged { device: device.clone(), n: 1, stake, in_record: 2 }
            );
            let other = one(&[fate], &[], &[entry(2, "t", 1, registered(101))]);
            assert_eq!(other, Difference::Amount { device: device.clone(), n: 1, stake, in_record: 101 });
        }
        let refused = one(&[Fate::Refused], &[], &twice[..1]);
        assert_eq!(refused, Difference::Refused { device: device.clone(), n: 1 });
        let never = one(&[], &[], &twice[..1]);
        assert_eq!(never, Difference::NeverSent { device: device.clone(), n: 1, seq: Seq(2) });
        let credits = one(&[Fate::Registered], &[(2, 901)], &twice[..1]);
        let shown = money(901);
        assert_eq!(credits, Difference::Credits { device, seq: Seq(2), shown, in_record: 900 });
    }

    #[test]
    fn a_round_brings_back_what_its_lines_say() {
        let line = json!({ "patron": 1, "bet": "player", "stake": 100, "playing": 100, "verdict": "won",
            "pays": "1 to 1", "returned": 0, "winnings": 100, "commission": 0, "to_patron": 200 });
        let result = json!({ "cards": ["As"], "points": { "player": 1, "banker": 0 }, "winner": "player",
            "natural": false, "pairs": { "player": false, "banker": false } });
        let settled = json!([{ "event": "round-settled", "round": 1, "result": result, "lines": [line], "house": -100 }]);
        let returns = json!([{ "patron": 1, "bet": "player", "amount": 100 }]);
        let voided = json!([{ "event": "round-voided", "round": 2, "kind": "not-shuffled", "cite": "5.3",
            "returns": returns, "changes": [] }]);
        let entries = [
            entry(2, "t", 1, registered(100)),
            entry(3, "house", 1, settled),
            entry(4, "t", 2, registered(100)),
            entry(5, "house", 2, voided),
        ];
        let fates = [Fate::Registered; 2];
        let shown = [(2, 900), (3, 1_100), (4, 1_000), (5, 1_100)];
        assert_eq!(compared(&fates, &shown, &entries).listed, []);
    }
}
