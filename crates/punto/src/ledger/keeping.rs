//! `punto ledger found|heads|checkpoint|rotate-key|rotate-ticket-key`.

use std::collections::BTreeMap;
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use ed25519_dalek::SigningKey;
use punto_ledger::{KeptCheckpoint, TicketKeys, Vault, fingerprint, new_key, read_key, write_key};
use punto_record::{LedgerKind, PublicKey};
use serde::Serialize;

use super::cli::{Checkpoint, Found, Heads, KindName, RotateKey, RotateTicketKey};
use super::{
    bar, key_path, ledger_key, now, open, place, problem, reader, recorded, release, ticket_key_path, vault,
};
use crate::answer::{Answer, say};
use crate::cli::Format;
use crate::output::{Rows, write_json};

pub(crate) fn found(args: &Found, out: &mut impl Write) -> anyhow::Result<Answer> {
    let place = place(&args.ledger);
    let path = key_path(&place, args.key.key.as_ref())?;
    let key = match path.exists() {
        true => read_key(&path),
        false => new_key().and_then(|key| write_key(&path, &key).map(|()| key)),
    };
    let key = key.map_err(|error| problem(&error))?;
    let kind = match args.kind {
        KindName::Demo => LedgerKind::Demo,
        KindName::Practice => LedgerKind::Practice,
        KindName::House => LedgerKind::House,
    };
    let public = PublicKey::of(&key);
    let ticket_keys = ticket_key_path(&place, args.ticket_key.ticket_key.as_ref(), &path);
    let vault = Vault::found(&place, kind, key, now(), release()).map_err(|error| problem(&error))?;
    writeln!(out, "ledger {}\nkey {public}", vault.ledger())?;
    // A server makes it as well, at its first start.
    TicketKeys::open_or_make(&ticket_keys).map_err(|error| problem(&error))?;
    let words = format!(
        "the key that signs is in {}, the one of ticket numbers in {}; keep both apart and safe",
        path.display(),
        ticket_keys.display()
    );
    say("note", AnsiColor::Yellow, &words);
    Ok(Answer::Yes)
}

#[derive(Serialize)]
struct HeadsJson {
    size: u64,
    root: String,
    heads: BTreeMap<String, (u64, String)>,
    faults: Vec<String>,
}

pub(crate) fn heads(args: &Heads, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut reader = reader(&args.ledger)?;
    let bar = bar("reading", reader.size().map_err(|error| problem(&error))?);
    let print = fingerprint(&mut reader, &mut |leaf| bar.set_position(leaf));
    bar.finish_and_clear();
    let print = print.map_err(|error| problem(&error))?;
    let faults = reader.check().map_err(|error| problem(&error))?;
    match args.format {
        Format::Json => {
            let head = |(volume, chain): (&punto_record::Volume, &punto_record::Chain)| {
                (volume.to_string(), (chain.seq.0, chain.link.to_string()))
            };
            let heads = print.heads.iter().map(head).collect();
            let faults = faults.clone();
            write_json(&HeadsJson { size: print.size, root: print.root.to_string(), heads, faults }, out)?;
        }
        Format::Table | Format::Csv | Format::Markdown => {
            let mut rows = Rows::new(["Volume", "Entries", "Link"]);
            for (volume, chain) in &print.heads {
                rows.push([volume.to_string(), chain.seq.to_string(), chain.link.to_string()]);
            }
            rows.push(["tree".to_owned(), print.size.to_string(), print.root.to_string()]);
            rows.write(args.format, out)?;
            for fault in &faults {
                say("fault", AnsiColor::Red, fault);
            }
        }
    }
    Ok(if faults.is_empty() { Answer::Yes } else { Answer::No })
}

/// How long to wait for a running server to sign for what was just added, which it does every five seconds.
const SERVER_SIGNS_WITHIN: Duration = Duration::from_secs(7);

/// The checkpoint over everything that is there. A server that runs has signed it, or will in a moment, and is not
/// disturbed; only where nobody does, the ledger is opened to sign.
pub(crate) fn checkpoint(args: &Checkpoint, out: &mut impl Write) -> anyhow::Result<Answer> {
    // Whoever has no key gets none signed, whether a server runs or not.
    let key = ledger_key(&args.ledger, args.key.key.as_ref())?;
    let until = Instant::now() + SERVER_SIGNS_WITHIN;
    // On a busy floor there is always something newer: what was there when this began is what has to be signed for.
    let size = reader(&args.ledger)?.size().map_err(|error| problem(&error))?;
    let signed = loop {
        match covering(&args.ledger, size, PublicKey::of(&key))? {
            Some(signed) => break signed,
            None if Instant::now() < until => thread::sleep(Duration::from_millis(250)),
            None => break sign(&args.ledger, key)?,
        }
    };
    out.write_all(signed.as_bytes())?;
    Ok(Answer::Yes)
}

/// The last checkpoint, if it covers so many entries and is signed with this key.
fn covering(ledger: &str, size: u64, key: PublicKey) -> anyhow::Result<Option<String>> {
    let mut reader = reader(ledger)?;
    let last = reader.last_checkpoint().map_err(|error| problem(&error))?;
    let is_ours = |kept: &KeptCheckpoint| kept.read().is_ok_and(|(signed, _)| signed.key == key);
    Ok(last.filter(|kept| kept.size >= size && is_ours(kept)).map(|kept| kept.text))
}

fn sign(ledger: &str, key: SigningKey) -> anyhow::Result<String> {
    let mut vault = open(ledger, key)?;
    let at = recorded(&vault);
    match vault.checkpoint(at).map_err(|error| problem(&error))? {
        Some(signed) => Ok(signed.to_string()),
        None => {
            let last = vault.reader().last_checkpoint().map_err(|error| problem(&error))?;
            Ok(last.map_or_else(String::new, |kept| kept.text))
        }
    }
}

pub(crate) fn rotate_key(args: &RotateKey, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut vault = vault(&args.ledger, args.key.key.as_ref())?;
    let key = new_key().map_err(|error| problem(&error))?;
    write_key(&args.new_key, &key).map_err(|error| problem(&error))?;
    let public = PublicKey::of(&key);
    let at = recorded(&vault);
    vault.rotate_key(key, at).map_err(|error| problem(&error))?;
    writeln!(out, "key {public}")?;
    say("note", AnsiColor::Yellow, "from now on the ledger is opened with the new key");
    Ok(Answer::Yes)
}

pub(crate) fn rotate_ticket_key(args: &RotateTicketKey, out: &mut impl Write) -> anyhow::Result<Answer> {
    let place = place(&args.ledger);
    let path = ticket_key_path(
        &place,
        args.ticket_key.ticket_key.as_ref(),
        &key_path(&place, args.key.key.as_ref())?,
    );
    let keys = TicketKeys::open(&path).map_err(|error| problem(&error))?;
    let mut vault = vault(&args.ledger, args.key.key.as_ref())?;
    let at = recorded(&vault);
    vault.use_ticket_keys(keys, at).map_err(|error| problem(&error))?;
    let key = vault.rotate_ticket_key(at).map_err(|error| problem(&error))?;
    writeln!(out, "ticket key {key}")?;
    say("note", AnsiColor::Yellow, &format!("keep a new copy of {}", path.display()));
    Ok(Answer::Yes)
}
