//! Signed notes and cosignatures, against notes that other implementations made. `tests/data/notes.json` was made with the
//! cryptography of Node.js and the texts of the standards alone (`scripts/note-vectors.mjs`).

use ed25519_dalek::SigningKey;
use punto_record::{
    AddCheckpoint, Digest, Note, NoteSignature, Origin, PublicKey, Seq, TreeHead, WitnessAddress, WitnessKey,
};
use serde_json::Value;

fn vectors() -> Vec<Value> {
    serde_json::from_str(include_str!("data/notes.json")).expect("vectors")
}

fn text<'v>(vector: &'v Value, field: &str) -> &'v str {
    vector[field].as_str().expect("a text")
}

fn number(vector: &Value, field: &str) -> u64 {
    vector[field].as_u64().expect("a number")
}

fn digest(vector: &Value, field: &str) -> Digest {
    text(vector, field).parse().expect("a digest")
}

fn seed(byte: u64) -> SigningKey {
    SigningKey::from_bytes(&[byte as u8; 32])
}

fn head(vector: &Value) -> TreeHead {
    let origin = Origin { ledger: digest(vector, "ledger"), after_loss: vector["after"].as_u64().map(Seq) };
    TreeHead { origin, size: number(vector, "size"), root: digest(vector, "root") }
}

#[test]
fn what_is_signed_here_is_what_others_sign() {
    for vector in vectors() {
        let head = head(&vector);
        let mut note = head.sign(&seed(number(&vector, "seed")));
        assert_eq!(note.to_string(), text(&vector, "note"));
        let name = text(&vector, "witness_name").into();
        let by = seed(number(&vector, "witness_seed"));
        note.signatures.push(head.cosign(&name, &by, number(&vector, "time")));
        assert_eq!(note.to_string(), text(&vector, "cosigned"));
        let key = WitnessKey { name, key: PublicKey::of(&by) };
        assert_eq!(key.to_string(), text(&vector, "witness"));
    }
}

#[test]
fn what_others_signed_is_read_and_checked() {
    for vector in vectors() {
        let note: Note = text(&vector, "cosigned").parse().expect("a note");
        assert_eq!(note.to_string(), text(&vector, "cosigned"));
        assert!(note.is_signed_by(PublicKey(digest(&vector, "key"))));
        assert!(!note.is_signed_by(PublicKey::of(&seed(77))));
        let witness: WitnessKey = text(&vector, "witness").parse().expect("a key");
        assert_eq!(note.cosigned_at(&witness), Some(number(&vector, "time")));
        let other = WitnessKey { name: "witness.example/other".into(), ..witness.clone() };
        assert_eq!(note.cosigned_at(&other), None);
        assert_eq!(note.cosigned_at(&WitnessKey { key: PublicKey::of(&seed(77)), ..witness }), None);
        let request: AddCheckpoint = text(&vector, "request").parse().expect("a request");
        assert_eq!(
            (request.old, request.to_string().as_str()),
            (number(&vector, "old"), text(&vector, "request"))
        );
        let path: Vec<String> = request.path.iter().map(ToString::to_string).collect();
        assert_eq!(serde_json::json!(path), vector["path"]);
    }
}

/// The note of the reference implementation's documentation (golang.org/x/mod/sumdb/note): the same key id and signature.
#[test]
fn signature_lines_of_the_reference_implementation_are_read() {
    let line = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";
    let signature: NoteSignature = line.parse().expect("a signature line");
    assert_eq!((&*signature.name, signature.id), ("PeterNeumann", [0xc7, 0x4f, 0x20, 0xa3]));
    assert_eq!(signature.to_string(), format!("{line}\n"));
    // The worked example of c2sp.org/tlog-cosignature.
    let line = "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==";
    let signature: NoteSignature = line.parse().expect("a signature line");
    assert_eq!(signature.bytes[..8], 1_679_315_147_u64.to_be_bytes());
    assert_eq!(signature.bytes.len(), 72);
}

#[test]
fn every_changed_byte_of_a_note_is_noticed() {
    for vector in vectors() {
        let good = text(&vector, "cosigned");
        let witness: WitnessKey = text(&vector, "witness").parse().expect("a key");
        let key = PublicKey(digest(&vector, "key"));
        for at in 0..good.len() {
            for with in [b'\n', b' ', b'0', b'A', b'+', b'/'] {
                let mut bytes = good.as_bytes().to_vec();
                if std::mem::replace(&mut bytes[at], with) == with {
                    continue;
                }
                let Ok(changed) = String::from_utf8(bytes) else { continue };
                let both = changed.parse::<Note>().ok().filter(|note| {
                    assert_eq!(note.to_string(), changed, "one note has one text");
                    note.is_signed_by(key) && note.cosigned_at(&witness).is_some()
                });
                assert_eq!(both, None, "{changed}");
            }
        }
    }
}

#[test]
fn only_the_one_text_of_a_note_is_read() {
    let vector = &vectors()[1];
    let note = text(vector, "note");
    let size = number(vector, "size").to_string();
    for other in [
        note.replacen('\n', "\r\n", 1),
        note.replacen(&format!("\n{size}\n"), &format!("\n0{size}\n"), 1),
        note.replacen(&format!("\n{size}\n"), &format!("\n+{size}\n"), 1),
        note.replacen("\n\n", "\nmore\n\n", 1),
        note.replacen("\n\n", "\n", 1),
        note.replacen("punto/", "other/", 1),
        note.replacen("—", "-", 1),
        note.trim_end().to_owned(),
        format!("{note}\n"),
        format!("{note}x"),
        format!("{note}{}", "— a AAAAAAAA\n".repeat(64)),
    ] {
        assert!(other.parse::<Note>().is_err(), "{other}");
    }
    let request = text(vector, "request");
    let beside = request.lines().nth(1).expect("a digest").to_owned() + "\n";
    for other in [
        request.replacen("old 2", "old 02", 1),
        request.replacen("old 2", "old", 1),
        request.replacen("old 2", "old -2", 1),
        request.replacen(&beside, &format!(" {beside}"), 1),
        request.replacen(&beside, &beside.repeat(64), 1),
    ] {
        assert!(other.parse::<AddCheckpoint>().is_err(), "{other}");
    }
    for origin in
        ["punto/", "punto/ab", &format!("punto/{}/01", "a".repeat(64)), &format!("punto/{}/", "a".repeat(64))]
    {
        assert!(origin.parse::<Origin>().is_err(), "{origin}");
    }
}

#[test]
fn addresses_of_witnesses() {
    for good in ["folder:/mnt/regulator", "http://127.0.0.1:8200", "https://witness.example/punto/1"] {
        assert_eq!(good.parse::<WitnessAddress>().expect("an address").to_string(), good);
    }
    for bad in [
        "",
        "folder:relative",
        "folder:/a/../b",
        "/mnt/x",
        "ftp://x",
        "http://",
        "http:///x",
        "https://x/",
        "https://u@x",
        "https://x?y",
        "https://x#y",
        "https://x y",
        "https://:80",
    ] {
        assert!(bad.parse::<WitnessAddress>().is_err(), "{bad}");
    }
}
