//! `punto serve`: the floor, open.

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use anstyle::AnsiColor;
use anyhow::Context;
use clap::{Args, ValueEnum};
use punto_ledger::{Place, Vault, new_key, read_key, write_key};
use punto_record::{Digest, LedgerKind, Person};
use punto_rules::text::Shown;
use punto_server::demo::Pace;
use punto_server::demonstration::Demonstration;
use punto_server::register::Cost;
use punto_server::serve::{Options, Ready, ServeError, serve};
use punto_server::witness::Roots;
use tokio::sync::watch;

use crate::answer::{Answer, Problem, say};
use crate::ledger::cli::TicketKeyFile;
use crate::ledger::{key_path, now, place, problem, release, ticket_key_path};

/// Where the demonstration keeps its ledger.
const DEMO: &str = "punto-demo/ledger";

/// Run tables for terminals, consoles and boards.
#[derive(Debug, Args)]
#[command(
    after_help = "Beside the ledger stand its key (.key), that of ticket numbers (.ticket-key), sessions (.sessions), the secrets of software \
     shoes (.shoes), and people and devices of release 0.1.0 (.people); `docs/server.md` says what each is for and what to back up.\n\n\
    Examples:\n  punto serve --demo\n  punto serve /srv/punto/ledger --listen 0.0.0.0:8443 --certificate tls.pem --certificate-key tls.key"
)]
pub(crate) struct Serve {
    /// The ledger: a file, or postgres://…; `punto ledger found` makes one
    #[arg(value_name = "LEDGER", required_unless_present = "demo")]
    ledger: Option<String>,
    /// Where to listen; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8100")]
    listen: SocketAddr,
    /// The file of the signing key [default: the ledger's path with `.key` behind it]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(flatten)]
    ticket_key: TicketKeyFile,
    /// People and devices of release 0.1.0, taken over once; sessions are kept beside it, in a file that ends in `.sessions`
    /// [default: the ledger's path with `.people` behind it]
    #[arg(long, value_name = "FILE")]
    people: Option<PathBuf>,
    /// The folder for the secrets of software shoes [default: the ledger's path with `.shoes` behind it]
    #[arg(long, value_name = "FOLDER")]
    shoes: Option<PathBuf>,
    /// The certificate for TLS, as PEM
    #[arg(long, value_name = "FILE", requires = "certificate_key")]
    certificate: Option<PathBuf>,
    /// Its key, as PEM
    #[arg(long, value_name = "FILE", requires = "certificate")]
    certificate_key: Option<PathBuf>,
    /// Let pages from this origin speak to the server as well, as in https://floor.example; may be given several times
    #[arg(long, value_name = "ORIGIN")]
    origin: Vec<String>,
    /// The id of an Administrator of a new house, who is invited at its first start; given twice [default:
    /// administrator-1 and administrator-2]
    #[arg(long, value_name = "ID")]
    administrator: Vec<Person>,
    /// Believe this proxy about where requests come from (`Forwarded`, `X-Forwarded-For`); may be given several times
    #[arg(long, value_name = "ADDRESS")]
    proxy: Vec<IpAddr>,
    /// Connections at once [default: what the limit of file descriptors leaves room for, at most 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    connections: Option<u32>,
    /// Believe these certificates of witnesses over TLS and no others, as PEM [default: those that the system believes]
    #[arg(long, value_name = "FILE")]
    witness_root: Option<PathBuf>,
    /// Start only if the program is the approved one, by its SHA-256
    #[arg(long, value_name = "DIGEST")]
    software: Option<Digest>,
    /// A lively floor to look at: simulated Dealers and patrons, no real money, this machine alone
    #[arg(long)]
    demo: bool,
    /// How quickly software shoes deal and simulated people act: so many times real time, or `flat-out`
    #[arg(long, value_name = "PACE", default_value_t = Pace::Times(1))]
    pace: Pace,
    /// What the demonstration's people do by chance comes from this
    #[arg(long, value_name = "N", default_value_t = 1, requires = "demo")]
    seed: u64,
    /// How the log on stderr is written
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
}

/// How a log is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Log {
    /// For people
    Text,
    /// For programs, a line an event
    Json,
}

pub(crate) fn run(args: Serve, out: &mut impl Write) -> anyhow::Result<Answer> {
    start_log(args.log);
    let text = args.ledger.as_deref().unwrap_or(DEMO);
    let place = place(text);
    let key_file = key_path(&place, args.key.as_ref())?;
    if args.demo {
        found_demo(&place, &key_file)?;
    }
    let key = read_key(&key_file).map_err(|error| {
        problem(&error)
            .hint("`punto ledger found` makes a ledger and its key; `punto serve --demo` needs neither")
    })?;
    let beside = |given: Option<PathBuf>, ending: &str| match (given, &place) {
        (Some(path), _) => Some(path),
        (None, Place::File(path)) => {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            Some(name.into())
        }
        (None, Place::Database(_) | Place::Memory) => None,
    };
    let needed = |path: Option<PathBuf>, option: &str| {
        path.ok_or_else(|| {
            Problem::new("a ledger in a database does not say where the server keeps its files").hint(option)
        })
    };
    let options = Options {
        release: release(),
        key,
        ticket_keys: ticket_key_path(&place, args.ticket_key.ticket_key.as_ref(), &key_file),
        register: Some(needed(beside(args.people, ".people"), "--people FILE")?),
        secrets: Some(needed(beside(args.shoes, ".shoes"), "--shoes FOLDER")?),
        address: args.listen,
        tls: args.certificate.zip(args.certificate_key),
        origins: args.origin,
        administrators: args.administrator.clone(),
        proxies: args.proxy.iter().map(IpAddr::to_canonical).collect(),
        connections: args.connections.map(|connections| connections as usize),
        pace: args.pace.into(),
        software: args.software,
        witness_roots: args.witness_root.as_deref().map_or(Ok(Roots::System), witness_roots)?,
        demo: args.demo.then_some(Demonstration { pace: args.pace, seed: args.seed }),
        cost: Cost::default(),
        place,
    };
    let (stop, stopped) = watch::channel(false);
    ctrlc::set_handler(move || {
        // The second time nobody waits any longer; what was acknowledged is on the disk.
        if stop.send_replace(true) {
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    let (ready, heard) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let server = scope.spawn(move || serve(options, move |it| drop(ready.send(it.clone())), stopped));
        if let Ok(it) = heard.recv() {
            tell(&it, args.demo, out)?;
        }
        let done = server.join().map_err(|_| Problem::new("the server fell over; see above"))?;
        done.map_err(|error| {
            if let ServeError::Ledger(error) = &error {
                return problem(error);
            }
            Problem::new(error.to_string())
        })?;
        Ok::<_, anyhow::Error>(())
    })?;
    say("note", AnsiColor::Yellow, "the floor is closed; everything that was acknowledged is in the ledger");
    Ok(Answer::Yes)
}

/// Whose certificates of witnesses are believed.
fn witness_roots(path: &Path) -> anyhow::Result<Roots> {
    let pem = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let roots = Roots::from_pem(&pem);
    roots.map_err(|error| Problem::new(format!("{}: {error}", path.display())).into())
}

/// The address goes to stdout, for whoever waits for it; the rest is talk.
fn tell(ready: &Ready, demo: bool, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{}", ready.url)?;
    out.flush()?;
    for (person, link) in &ready.administrators {
        let words = format!("{person} is invited to be Administrator; this link works once, for 24 hours:");
        say("note", AnsiColor::Yellow, &words);
        anstream::eprintln!("      {link}");
    }
    if ready.administrators.len() > 1 {
        let words = "each link is for another person; no table opens before both have chosen a password";
        say("note", AnsiColor::Yellow, words);
    }
    let what = match demo {
        true => "the demonstration is open; its people come in now".to_owned(),
        false => format!("{} tables are open", ready.tables),
    };
    say("note", AnsiColor::Yellow, &format!("{what}; Ctrl-C closes the floor in order"));
    Ok(())
}

/// Makes the ledger of the demonstration where there is none.
fn found_demo(place: &Place, key_file: &Path) -> anyhow::Result<()> {
    if key_file.exists() {
        return Ok(());
    }
    if let Some(folder) = key_file.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let key = new_key().map_err(|error| problem(&error))?;
    write_key(key_file, &key).map_err(|error| problem(&error))?;
    Vault::found(place, LedgerKind::Demo, key, now(), release()).map_err(|error| problem(&error))?;
    Ok(())
}

/// The log has one line for each event, whatever names and texts are in it; the subscriber writes an event at once.
struct OneLine<W: Write>(W);

impl<W: Write> Write for OneLine<W> {
    fn write(&mut self, event: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let (line, end) = text.strip_suffix('\n').map_or((&*text, ""), |line| (line, "\n"));
        self.0.write_all(format!("{}{end}", Shown(line)).as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

pub(crate) fn start_log(log: Log) {
    let log_to = tracing_subscriber::fmt().with_writer(|| OneLine(std::io::stderr())).with_target(false);
    match log {
        Log::Text => log_to.with_ansi(false).init(),
        Log::Json => log_to.json().init(),
    }
}
