//! A ledger with one byte changed, in the file itself: the audit finds it, or it stood where nothing is kept.

mod run;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use punto_ledger::{Place, Reader};
use run::punto;

/// Every this many bytes; every one when a long run is asked for.
fn stride() -> usize {
    if std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1") { 1 } else { 397 }
}

/// Everything that a ledger keeps of the record, as one text.
fn contents(path: &Path) -> Result<Vec<String>, punto_ledger::Error> {
    let mut reader = Reader::open(&Place::File(path.to_owned()))?;
    let mut all = Vec::new();
    reader.entries(0, &mut |stored| {
        all.push(format!("{} {} {} {:?}", stored.leaf, stored.volume, stored.seq, stored.bytes));
        ControlFlow::Continue(())
    })?;
    reader.tickets(&mut |ticket| all.push(format!("{ticket:?}")))?;
    reader.checkpoints(&mut |kept| all.push(kept.text))?;
    all.extend(reader.snapshots()?.into_iter().map(|snapshot| format!("{snapshot:?}")));
    Ok(all)
}

/// A short record on disk, with tickets, checkpoints and no log beside it.
fn ledger(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("small.punto");
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios");
    for (table, script) in
        [("T1", "ncb-etg/a-round-at-the-terminals.txt"), ("T2", "wu-song/an-ordinary-round.txt")]
    {
        let script = scenarios.join(script);
        let played = punto(&[
            "play",
            &script.to_string_lossy(),
            "--ledger",
            &path.to_string_lossy(),
            "--as",
            table,
            "--receipts",
        ]);
        assert_eq!(played.code, 0, "{}", played.page());
    }
    assert!(!path.with_extension("punto-wal").exists(), "all of it is in one file");
    path
}

#[test]
fn a_changed_byte_is_found_or_harmless() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = ledger(folder.path());
    let sound = fs::read(&path).expect("the file");
    let kept = contents(&path).expect("a sound ledger");
    let audit = |path: &Path| punto::audited(&path.to_string_lossy());
    assert!(audit(&path), "the ledger itself is sound");
    let places: Vec<usize> = (0..sound.len()).step_by(stride()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // Each thread has a part of the bytes and a copy of its own.
    let part = |thread: usize| {
        let copy = folder.path().join(format!("damaged-{thread}.punto"));
        let (mut found, mut harmless) = (0, 0);
        for at in places.iter().skip(thread).step_by(threads) {
            for bit in [0, 6] {
                for ending in ["-wal", "-shm"] {
                    fs::remove_file(folder.path().join(format!("damaged-{thread}.punto{ending}"))).ok();
                }
                let mut damaged = sound.clone();
                damaged[*at] ^= 1 << bit;
                fs::write(&copy, &damaged).expect("a copy");
                if !audit(&copy) {
                    found += 1;
                } else {
                    harmless += 1;
                    let still = contents(&copy).expect("what the audit could read");
                    assert_eq!(still, kept, "byte {at}, bit {bit}: changed and not found");
                }
            }
        }
        (found, harmless)
    };
    let (found, harmless) = std::thread::scope(|scope| {
        let part = &part;
        let parts: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        let counts = parts.into_iter().map(|it| it.join().expect("nothing went unnoticed"));
        counts.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
    });
    eprintln!(
        "soak: bytes changed in a ledger: {} cases, {found} found, {harmless} harmless",
        found + harmless
    );
    assert!(found > harmless / 20, "{found} found, {harmless} harmless");
}
