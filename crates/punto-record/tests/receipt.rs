//! Receipts for patrons: what is good is taken, and nothing else, whichever bit of it was changed.

use punto_record::{PatronReceipt, ProofError, PublicKey};
use serde::Deserialize;

/// The page for patrons is tested with the same file (`web/src/receipt/check.test.ts`); `punto-audit/tests/receipts.rs` makes it.
const VECTORS: &str = include_str!("data/receipts.json");

#[derive(Deserialize)]
struct Vector {
    name: String,
    key: PublicKey,
    verdict: String,
    receipt: String,
}

fn vectors() -> Vec<Vector> {
    serde_json::from_str(VECTORS).expect("vectors")
}

fn verdict(text: &str, key: PublicKey) -> &'static str {
    let Ok(receipt) = text.parse::<PatronReceipt>() else { return "malformed" };
    match receipt.check(key) {
        Ok(()) => "good",
        Err(ProofError::OtherKey) => "other-key",
        Err(ProofError::NotSigned) => "not-signed",
        Err(ProofError::OtherLedger | ProofError::OtherSize) => "impossible",
        Err(ProofError::NotThere) => "not-there",
    }
}

#[test]
fn every_vector_is_judged_as_it_says() {
    let vectors = vectors();
    for vector in &vectors {
        assert_eq!(verdict(&vector.receipt, vector.key), vector.verdict, "{}", vector.name);
    }
    for word in ["good", "malformed", "other-key", "not-signed", "not-there"] {
        assert!(vectors.iter().any(|it| it.verdict == word), "{word}");
    }
}

#[test]
fn a_receipt_is_read_as_it_was_written() {
    for vector in vectors().iter().filter(|it| it.verdict == "good") {
        let receipt: PatronReceipt = vector.receipt.parse().expect("a receipt");
        assert!(PatronReceipt::is_titled(&vector.receipt));
        assert_eq!(receipt.to_string(), vector.receipt);
    }
}

#[test]
fn every_changed_bit_is_noticed() {
    let vectors = vectors();
    let smallest = vectors.iter().filter(|it| it.verdict == "good").min_by_key(|it| it.receipt.len());
    let Vector { receipt, key, .. } = smallest.expect("a good one");
    let mut read_and_refused = 0;
    for at in 0..receipt.len() {
        for bit in 0..8 {
            let mut bytes = receipt.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            let verdict = verdict(&changed, *key);
            assert_ne!(verdict, "good", "byte {at}, bit {bit}");
            read_and_refused += usize::from(verdict != "malformed");
        }
    }
    assert!(read_and_refused > 2_000, "{read_and_refused} changes could be read at all");
}
