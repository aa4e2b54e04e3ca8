//! `punto witness`: keep and sign checkpoints of somebody else's ledger.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anstyle::AnsiColor;
use anyhow::Context as _;
use clap::{Args, Subcommand};
use ed25519_dalek::SigningKey;
use punto_ledger::{new_key, read_key, write_key};
use punto_record::{Digest, Origin, PublicKey, WitnessKey};
use punto_server::witness::{WitnessOptions, serve_witness};
use tokio::sync::watch;

use crate::answer::{Answer, Problem, say};
use crate::ledger::problem;
use crate::serve::{Log, start_log};

#[derive(Debug, Subcommand)]
pub(crate) enum WitnessVerb {
    /// Sign checkpoints of these ledgers, each only if it goes on from the one before
    Serve(ServeWitness),
    /// Print the key that a house needs to know this witness; make one where there is none
    Key(Key),
}

/// Who signs.
#[derive(Debug, Args)]
pub(crate) struct Signs {
    /// The file of the key that signs
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The name in its signatures, as an address without a scheme: regulator.example/punto
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: Arc<str>,
}

#[derive(Debug, Args)]
pub(crate) struct Key {
    #[command(flatten)]
    signs: Signs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "It speaks the protocol of C2SP (c2sp.org/tlog-witness): POST /add-checkpoint. GET /checkpoint/ORIGIN is the latest \
    note of a ledger, GET / lists them.\n\n\
    Example:\n  punto witness serve --listen 0.0.0.0:8200 --folder /srv/witness --key witness.key --name regulator.example/punto \\\n    \
    --log punto/5f0c…=8f2a…"
)]
pub(crate) struct ServeWitness {
    #[command(flatten)]
    signs: Signs,
    /// Where to listen; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8200")]
    listen: SocketAddr,
    /// The folder of the notes; it is made if there is none
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// A ledger by its origin, and its public key; given again for another ledger, or after a new key was adopted
    #[arg(long, value_name = "ORIGIN=KEY", required = true, value_parser = log)]
    log: Vec<(Origin, PublicKey)>,
    /// The certificate for TLS, as PEM
    #[arg(long, value_name = "FILE", requires = "certificate_key")]
    certificate: Option<PathBuf>,
    /// Its key, as PEM
    #[arg(long, value_name = "FILE", requires = "certificate")]
    certificate_key: Option<PathBuf>,
    /// How the log on stderr is written
    #[arg(long = "log-format", value_enum, default_value_t = Log::Text)]
    log_format: Log,
}

fn name(text: &str) -> Result<Arc<str>, String> {
    let key = WitnessKey { name: text.into(), key: PublicKey(Digest([0; 32])) };
    match key.to_string().parse::<WitnessKey>() {
        Ok(read) if read == key => Ok(key.name),
        Ok(_) | Err(_) => Err("a name has no spaces and no `+`".to_owned()),
    }
}

fn log(text: &str) -> Result<(Origin, PublicKey), String> {
    let (origin, key) = text.split_once('=').ok_or("expected ORIGIN=KEY")?;
    let origin: Origin = origin.parse().map_err(|error: punto_record::NoteError| error.to_string())?;
    if origin != origin.first() {
        return Err(
            "expected the origin of a ledger's first history: histories after a declared loss come with it"
                .to_owned(),
        );
    }
    Ok((origin, PublicKey(key.parse().map_err(|_| "expected a key of 64 hexadecimal digits")?)))
}

pub(crate) fn key(args: &Key, out: &mut impl Write) -> anyhow::Result<Answer> {
    let Signs { key, name } = &args.signs;
    if !key.exists() {
        let made = new_key().map_err(|error| problem(&error))?;
        write_key(key, &made).map_err(|error| problem(&error))?;
        say("note", AnsiColor::Yellow, &format!("a new key is in {}", key.display()));
    }
    writeln!(out, "{}", WitnessKey { name: name.clone(), key: PublicKey::of(&read(key)?) })?;
    Ok(Answer::Yes)
}

fn read(path: &Path) -> Result<SigningKey, Problem> {
    read_key(path).map_err(|error| problem(&error).hint("`punto witness key` makes one"))
}

pub(crate) fn serve(args: ServeWitness, out: &mut impl Write) -> anyhow::Result<Answer> {
    start_log(args.log_format);
    let mut logs: BTreeMap<Origin, Vec<PublicKey>> = BTreeMap::new();
    for (origin, key) in args.log {
        logs.entry(origin).or_default().push(key);
    }
    let options = WitnessOptions {
        address: args.listen,
        folder: args.folder,
        key: read(&args.signs.key)?,
        name: args.signs.name,
        logs,
        tls: args.certificate.zip(args.certificate_key),
    };
    let (stop, stopped) = watch::channel(false);
    let on_signal = move || {
        if stop.send_replace(true) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(on_signal).context("cannot listen for Ctrl-C")?;
    let (ready, heard) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let server =
            scope.spawn(move || serve_witness(options, move |it| drop(ready.send(it.clone())), stopped));
        if let Ok(it) = heard.recv() {
            writeln!(out, "{}", it.url)?;
            out.flush()?;
            say("note", AnsiColor::Yellow, &format!("this witness signs with {}", it.key));
        }
        let done = server.join().map_err(|_| Problem::new("the witness fell over; see above"))?;
        done.map_err(|error| Problem::new(error.to_string()))?;
        Ok::<_, anyhow::Error>(Answer::Yes)
    })
}
