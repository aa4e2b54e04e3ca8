//! Snapshots: at every entry of every scenario, a table that is read back from one goes on as the table itself.

mod scripts;

use punto_record::{Chain, Entry};
use punto_table::script::play;
use punto_table::{Replay, ReplayError, SNAPSHOT_SCHEMA, Table};
use scripts::{Scenario, approved, scenarios};

fn records() -> Vec<(String, Vec<Entry>)> {
    let played = |scenario: &Scenario| play(&scenario.script, approved).expect("a scenario can be played");
    scenarios().iter().map(|it| (it.name.clone(), played(it).entries)).collect()
}

#[test]
fn a_snapshot_goes_on_as_the_table_does() {
    let mut taken = 0;
    for (name, entries) in records() {
        let mut table = Table::default();
        let mut copy = Table::default();
        for entry in &entries {
            table.enter(entry);
            copy.enter(entry);
            let bytes = table.snapshot();
            copy = Table::from_snapshot(&bytes).unwrap_or_else(|| panic!("{name}: {}", entry.seq));
            assert_eq!(copy.state(), table.state(), "{name}: {}", entry.seq);
            assert_eq!(copy.roads().marks(), table.roads().marks());
            assert_eq!(copy.law().is_some(), table.law().is_some());
            assert_eq!(copy.snapshot(), bytes);
            taken += 1;
        }
    }
    assert!(taken > 1000, "{taken} snapshots");
}

#[test]
fn a_record_is_read_back_only_as_it_was_sealed() {
    let (_, entries) = records().into_iter().max_by_key(|(_, entries)| entries.len()).expect("a scenario");
    let mut chain = Chain::START;
    let sealed: Vec<_> = entries.iter().map(|entry| chain.seal(entry)).collect();
    let mut replay = Replay::default();
    for (entry, stored) in entries.iter().zip(&sealed) {
        let place = Chain { seq: stored.seq, link: stored.chain };
        let mut damaged = stored.bytes.clone();
        damaged[0] ^= 1;
        let before = replay.chain();
        assert_eq!(replay.enter(place, &damaged), Err(ReplayError::Unchained { seq: stored.seq }));
        let elsewhere = Chain { seq: stored.seq.next(), ..place };
        assert_eq!(
            replay.enter(elsewhere, &stored.bytes),
            Err(ReplayError::Unchained { seq: elsewhere.seq })
        );
        assert_eq!(replay.chain(), before, "nothing was taken");
        assert_eq!(replay.enter(place, &stored.bytes).as_ref(), Ok(entry));
    }
    let nonsense = b"{}";
    let place = replay.chain().after(nonsense);
    let unreadable = replay.enter(place, nonsense).expect_err("no entry");
    assert!(matches!(unreadable, ReplayError::Unreadable { seq, .. } if seq == place.seq), "{unreadable}");
    let bytes = replay.table().snapshot();
    assert!(Replay::from_snapshot(&bytes, replay.chain()).is_some());
    let elsewhere = Chain { seq: place.seq, link: replay.chain().link };
    assert!(Replay::from_snapshot(&bytes, elsewhere).is_none(), "a snapshot of another place");
    assert!(Replay::from_snapshot(b"nonsense", replay.chain()).is_none());
    let (table, end) = replay.finish();
    assert_eq!((end, table.state().seq), (chain, chain.seq));
}

/// The snapshots of the golden records, for ever. Where their bytes change, old snapshots might be read wrongly: count
/// [`SNAPSHOT_SCHEMA`] up and write the new digest here.
#[test]
fn the_schema_is_counted_up_when_the_bytes_change() {
    let mut all = Chain::START;
    for text in [include_str!("data/golden/electronic.ndjson"), include_str!("data/golden/live-chips.ndjson")]
    {
        let mut table = Table::default();
        for line in text.lines().filter(|line| line.starts_with("{\"seq\"")) {
            table.enter(&serde_json::from_str(line).expect("an entry"));
            all = all.after(&table.snapshot());
        }
    }
    assert!(all.seq.0 > 100, "{} snapshots", all.seq);
    assert_eq!((SNAPSHOT_SCHEMA, all.link.to_string().as_str()), (10, SNAPSHOTS));
}

const SNAPSHOTS: &str = "9b4f35daae904a431251022d23c25acdcf738c3f2692d5355b53dccaad18062b";
