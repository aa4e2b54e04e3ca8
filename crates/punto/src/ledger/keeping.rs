//! `punto ledger found|heads|checkpoint|rotate-key`.

use std::collections::BTreeMap;
use std::io::Write;

use anstyle::AnsiColor;
use punto_ledger::{Vault, fingerprint, new_key, read_key, write_key};
use punto_record::{LedgerKind, PublicKey};
use serde::Serialize;

use super::cli::{Checkpoint, Found, Heads, KindName, RotateKey};
use super::{bar, key_path, now, place, problem, reader, release, vault};
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
    let vault = Vault::found(&place, kind, key, now(), release()).map_err(|error| problem(&error))?;
    writeln!(out, "ledger {}\nkey {public}", vault.ledger())?;
    say(
        "note",
        AnsiColor::Yellow,
        &format!("the key that signs is in {}; keep it apart and safe", path.display()),
    );
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

pub(crate) fn checkpoint(args: &Checkpoint, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut vault = vault(&args.ledger, args.key.key.as_ref())?;
    let signed = match vault.checkpoint(now()).map_err(|error| problem(&error))? {
        Some(signed) => signed.to_string(),
        None => {
            let mut last = String::new();
            let read = vault.reader().checkpoints(&mut |kept| last = kept.text);
            read.map_err(|error| problem(&error))?;
            say("note", AnsiColor::Yellow, "nothing was added since the last checkpoint; this is that one");
            last
        }
    };
    out.write_all(signed.as_bytes())?;
    Ok(Answer::Yes)
}

pub(crate) fn rotate_key(args: &RotateKey, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut vault = vault(&args.ledger, args.key.key.as_ref())?;
    let key = new_key().map_err(|error| problem(&error))?;
    write_key(&args.new_key, &key).map_err(|error| problem(&error))?;
    let public = PublicKey::of(&key);
    vault.rotate_key(key, now()).map_err(|error| problem(&error))?;
    vault.checkpoint(now()).map_err(|error| problem(&error))?;
    writeln!(out, "key {public}")?;
    say("note", AnsiColor::Yellow, "from now on the ledger is opened with the new key");
    Ok(Answer::Yes)
}
