//! Checkpoints as text: what is signed is what is read, and nothing else is taken.

use ed25519_dalek::SigningKey;
use punto_record::{Chain, Checkpoint, PublicKey, Seq, SignedCheckpoint, Timestamp, Volume, digest, vouch};

fn key(n: u8) -> SigningKey {
    SigningKey::from_bytes(&[n; 32])
}

fn signed() -> SignedCheckpoint {
    let head = |volume: &str, seq| {
        let chain = Chain { seq: Seq(seq), link: digest(volume.as_bytes()) };
        (volume.parse::<Volume>().expect("a volume"), chain)
    };
    let checkpoint = Checkpoint {
        ledger: digest(b"ledger"),
        at: Timestamp(1_700_000_000_000),
        size: 17,
        root: digest(b"root"),
        heads: vec![head("house", 3), head("table/T1", 14)],
    };
    checkpoint.sign(&key(1))
}

#[test]
fn a_checkpoint_is_read_as_it_was_written() {
    let signed = signed();
    assert!(signed.is_signed());
    let text = signed.to_string();
    assert!(text.starts_with("punto checkpoint 1\nledger "), "{text}");
    assert_eq!(text.parse(), Ok(signed));
}

#[test]
fn every_changed_byte_is_noticed() {
    let text = signed().to_string();
    let mut read_and_refused = 0;
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            if let Ok(checkpoint) = changed.parse::<SignedCheckpoint>() {
                read_and_refused += 1;
                assert!(!checkpoint.is_signed(), "byte {at}, bit {bit}");
            }
        }
    }
    assert!(read_and_refused > 300, "{read_and_refused} changes could be read at all");
}

#[test]
fn lines_left_out_doubled_or_added_are_noticed() {
    let text = signed().to_string();
    let lines: Vec<&str> = text.lines().collect();
    let is_good = |text: &str| text.parse::<SignedCheckpoint>().is_ok_and(|it| it.is_signed());
    assert!(is_good(&text));
    for at in 0..lines.len() {
        let without: String =
            lines.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, line)| format!("{line}\n")).collect();
        assert!(!is_good(&without), "without line {}", at + 1);
        let doubled: String = lines
            .iter()
            .enumerate()
            .map(|(i, line)| format!("{line}\n").repeat(1 + usize::from(i == at)))
            .collect();
        assert!(!is_good(&doubled), "line {} twice", at + 1);
    }
    assert!(!is_good(&format!("{text}more\n")));
    assert!(!is_good(text.trim_end()));
    let error = "punto checkpoint 1\nledger x\n".parse::<SignedCheckpoint>().expect_err("no digest");
    assert_eq!(error.to_string(), "line 2 of the checkpoint: `ledger` and a digest expected");
}

#[test]
fn another_key_does_not_do() {
    let mut signed = signed();
    signed.key = PublicKey::of(&key(2));
    assert!(!signed.is_signed());
}

#[test]
fn a_key_vouches_for_the_next() {
    let (first, second, third) = (key(1), key(2), key(3));
    let vouched = vouch(&first, PublicKey::of(&second));
    assert!(PublicKey::of(&first).vouches_for(PublicKey::of(&second), &vouched));
    assert!(!PublicKey::of(&first).vouches_for(PublicKey::of(&third), &vouched));
    assert!(!PublicKey::of(&third).vouches_for(PublicKey::of(&second), &vouched));
    assert!(!PublicKey::of(&first).vouches_for(PublicKey::of(&second), "no signature"));
}
