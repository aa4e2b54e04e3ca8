//! A ledger on a disk that really is full, and has room again: whatever was being written then, nothing is acknowledged, and
//! the same writer goes on. Only root may mount such a disk; for others `crash.rs` limits the pages of the file.

use crate::ledgers::*;
use crate::small_disk::SmallDisk;
use punto_ledger::{Error, Place, Snapshot, Vault, fingerprint};
use punto_record::Timestamp;

type Write = fn(&mut Vault) -> Result<(), Error>;

/// Each writes so much that it cannot do so for ever without room.
const WRITES: [Write; 4] = [
    |vault| {
        let append = batch(vault, &table(1), 40);
        vault.append(&[append]).remove(0).map(drop)
    },
    |vault| vault.lock(NOW, &"T7".into(), "a deed").map(drop),
    |vault| {
        let append = batch(vault, &table(1), 1);
        vault.append(&[append]).remove(0)?;
        vault.checkpoint(Timestamp(vault.signed_at().0 + 1)).map(drop)
    },
    |vault| {
        let (volume, bytes) = (table(1), vec![7; 1 << 16]);
        let chain = vault.head(&volume);
        vault.keep_snapshot(&Snapshot { volume, chain, schema: 1, bytes, signed: None })
    },
];

#[test]
fn a_full_disk_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk")) else { return };
    let place = Place::File(disk.0.join("full.punto"));
    let mut vault = found(&place);
    append(&mut vault, &table(1), 3);
    for turn in 0..3 {
        for write in WRITES {
            disk.fill();
            // The log may have room for some more in what it has taken before.
            let error = (0..100_000).find_map(|_| write(&mut vault).err()).expect("a full disk");
            assert_eq!(error, Error::Full, "turn {turn}");
            let before = vault.head(&table(1));
            for _ in 0..3 {
                disk.fill();
                assert_eq!(vault.recover(), Err(Error::Full), "turn {turn}");
                assert!(matches!(write(&mut vault), Err(Error::Stopped(_))), "it stands still");
            }
            disk.make_room();
            vault.recover().expect("there is room");
            assert_eq!(
                vault.head(&table(1)),
                before,
                "nothing acknowledged is missing, nothing else is there"
            );
            write(&mut vault).expect("it goes on");
        }
    }
    assert_eq!(vault.reader().check(), Ok(Vec::new()));
    fingerprint(&mut vault.reader(), &mut |_| {}).expect("sound");
}
