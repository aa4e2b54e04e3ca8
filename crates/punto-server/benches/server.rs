//! `make bench`: the server against bare baselines on the same stack, in the same run, server and clients sharing the
//! machine.
//!
//! - echo: a message comes back as it is;
//! - durable: socket, insert, group commit, acknowledge, with the same bytes and the same pragmas;
//! - broadcast: the same frames to as many sockets.

#[path = "../tests/house/mod.rs"]
mod house;

mod bare;

use std::time::{Duration, Instant};

use bare::{Bare, Client};
use house::{House, electronic, table};
use punto_record::{Command, RoundNo};
use punto_rules::{Money, PatronNo};
use punto_server::floor::Pace;
use punto_server::register::DeviceKind;
use punto_server::role::Role;
use punto_server::wire::{Said, Screen};
use tokio::task::JoinSet;

const RUN: Duration = Duration::from_secs(4);

fn main() {
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_asked = |name: &str| named.is_empty() || named.iter().any(|it| it == name);
    if let [child, tables] = named.as_slice()
        && child == "serve"
    {
        return runtime().block_on(bare::serve(tables.parse().expect("a number of tables")));
    }
    println!("| what | figure | ratio | target |\n|---|---|---|---|");
    for terminals in [100, 1_000] {
        if is_asked("bets") {
            runtime().block_on(bench_bets(terminals));
        }
    }
    if is_asked("paced") {
        runtime().block_on(bench_paced());
    }
    if is_asked("broadcast") {
        runtime().block_on(bench_broadcast(5_000));
    }
    if is_asked("memory") {
        runtime().block_on(bare::bench_memory());
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads")
}

/// The order of a terminal, as text.
fn order(table: &str, patron: u32, n: u64, round: RoundNo) -> String {
    format!(
        "{{\"order\":{{\"id\":{{\"device\":\"t-{table}-{patron}\",\"n\":{n}}},\"by\":{{\"as\":\"patron\",\"patron\":{patron}}},\
         \"at\":0,\"round\":{round},\"command\":{{\"do\":\"place-wager\",\"patron\":{patron},\"bet\":\"player\",\"stake\":100}}}}}}"
    )
}

fn device(table: &str, patron: u32) -> String {
    format!("t-{table}-{patron}")
}

/// Sockets of terminals that have credits at a table where bets are open.
pub(crate) async fn terminals(house: &House, name: &str, count: u32) -> (Vec<Client>, RoundNo) {
    let mut cage = house.staff(name, Screen::Cage, "cas-1", Role::Cashier).await;
    for patron in 1..=count {
        let amount = Money::new(1_000_000_000).expect("money");
        cage.order(Command::BuyCredits { patron: PatronNo(patron), amount }, None).await.expect("sent");
        if patron % 16 == 0 {
            for _ in 0..16 {
                bare::reply(&mut cage).await;
            }
        }
    }
    let mut clients = Vec::new();
    for patron in 1..=count {
        let kind = DeviceKind::Terminal { table: table(name), patron: PatronNo(patron), at_box: None };
        let credential = house.enrol(&device(name, patron), kind);
        let hello = house::hello(name, Screen::Terminal, Some(&credential), None);
        clients.push(Client::open(&house.url, Some(&Said::Hello(hello))).await);
    }
    let id = table(name);
    let round = loop {
        let open = house.app.floor.look(&id, |table| {
            let round = table.state().round()?;
            matches!(round.stage, punto_table::Stage::Betting { .. }).then_some(round.no)
        });
        if let Some(round) = open.await.flatten() {
            break round;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    (clients, round)
}

/// One order in flight each, for a while: how many a second, and how long each took.
async fn closed_loop(
    clients: Vec<Client>,
    text: impl Fn(usize, u64) -> String + Clone + Send + 'static,
    is_answer: fn(&str) -> bool,
) -> (f64, Vec<Duration>) {
    let mut tasks = JoinSet::new();
    let start = Instant::now();
    for (at, mut client) in clients.into_iter().enumerate() {
        let text = text.clone();
        tasks.spawn(async move {
            let mut took = Vec::new();
            let mut n = 0;
            while start.elapsed() < RUN {
                n += 1;
                let said = text(at, n);
                let sent = Instant::now();
                client.say(said).await;
                client.hear(is_answer).await;
                took.push(sent.elapsed());
            }
            took
        });
    }
    let mut took: Vec<Duration> = tasks.join_all().await.concat();
    let rate = took.len() as f64 / start.elapsed().as_secs_f64();
    took.sort_unstable();
    (rate, took)
}

fn percentile(took: &[Duration], per_mille: usize) -> f64 {
    took[(took.len() - 1) * per_mille / 1000].as_secs_f64() * 1000.0
}

fn is_reply(text: &str) -> bool {
    text.starts_with("{\"reply\"")
}

async fn bench_bets(count: u32) {
    let sample = order("etg-1", 1, 1, RoundNo(1));
    let echo = Bare::echo().await;
    let clients = echo.clients(count).await;
    let text = sample.clone();
    let (echoed, _) = closed_loop(clients, move |_, _| text.clone(), |_| true).await;

    let durable = Bare::durable().await;
    let clients = durable.clients(count).await;
    let sync = bare::sync_probe();
    let text = sample.clone();
    let (bare, took) = closed_loop(clients, move |_, _| text.clone(), |_| true).await;
    let bare_p99 = percentile(&took, 990);

    let house = House::with(house::clock(), Pace::FLAT_OUT).await;
    house.open_table(electronic("etg-1", 600)).await;
    let (clients, round) = terminals(&house, "etg-1", count).await;
    let say = move |at: usize, n| order("etg-1", at as u32 + 1, n, round);
    let (registered, took) = closed_loop(clients, say, is_reply).await;
    let p99 = percentile(&took, 990);
    println!(
        "| {count} terminals, one order in flight: registered a second | {registered:.0} (bare durable {bare:.0}, echo \
         {echoed:.0}, sync {sync:.2} ms) | {:.2} of durable, {:.2} of echo | ≥ 0.6 of durable |",
        registered / bare,
        registered / echoed,
    );
    println!(
        "| … acknowledgement p50 / p99 | {:.2} / {p99:.2} ms (bare durable {bare_p99:.2} ms) | {:.2} | ≤ 2 |",
        percentile(&took, 500),
        p99 / bare_p99,
    );
    house.close().await;
}

/// A thousand bets a second over a hundred terminals.
async fn bench_paced() {
    let house = House::with(house::clock(), Pace::FLAT_OUT).await;
    house.open_table(electronic("etg-1", 600)).await;
    let (clients, round) = terminals(&house, "etg-1", 100).await;
    let mut tasks = JoinSet::new();
    let start = Instant::now();
    for (at, mut client) in clients.into_iter().enumerate() {
        tasks.spawn(async move {
            let mut took = Vec::new();
            // Ten a second each, not all in the same moment.
            for n in 0..RUN.as_secs() * 10 {
                let due = start + Duration::from_millis(n * 100 + at as u64);
                tokio::time::sleep_until(due.into()).await;
                let sent = Instant::now();
                client.say(order("etg-1", at as u32 + 1, n + 1, round)).await;
                client.hear(is_reply).await;
                took.push(sent.elapsed());
            }
            took
        });
    }
    let mut took: Vec<Duration> = tasks.join_all().await.concat();
    took.sort_unstable();
    println!(
        "| 1,000 bets a second, paced: acknowledgement p50 / p99 | {:.2} / {:.2} ms (sync {:.2} ms) | | p99 < 5 ms on a calm disk |",
        percentile(&took, 500),
        percentile(&took, 990),
        bare::sync_probe(),
    );
    house.close().await;
}

/// A result to so many terminals, each with its own lines and balance.
async fn bench_broadcast(count: u32) {
    let house = House::with(house::clock(), Pace::FLAT_OUT).await;
    house.open_table(electronic("etg-1", 25)).await;
    let (mut clients, round) = terminals(&house, "etg-1", count).await;
    for (at, client) in clients.iter_mut().enumerate() {
        client.say(order("etg-1", at as u32 + 1, 1, round)).await;
    }
    for client in &mut clients {
        client.hear(is_reply).await;
    }
    // Two frames each: the public one with the result, and one's own with the lines of the Round.
    let mut tasks = JoinSet::new();
    for mut client in clients {
        tasks.spawn(async move {
            let public = client.hear(|text| text.contains("\"round-settled\"")).await;
            let own = client.hear(|text| text.contains("\"to_patron\"")).await;
            // Nobody hangs up before everybody has heard.
            (public, own, bare::now_ms(), client)
        });
    }
    let arrived = tasks.join_all().await;
    let (public, own) = (arrived[0].0.clone(), arrived[0].1.clone());
    let sent = bare::time_in(&own);
    let mut at: Vec<u64> = arrived.iter().map(|(_, _, at, _)| at - sent).collect();
    at.sort_unstable();
    if std::env::var_os("PUNTO_BENCH_SPREAD").is_some() {
        eprintln!("first {} ms, median {} ms, last {} ms", at[0], at[at.len() / 2], at[at.len() - 1]);
    }
    let last = at[at.len() - 1];
    house.close().await;

    let bare = Bare::broadcast([public.clone(), own.clone()]).await;
    let clients = bare.clients(count).await;
    let mut tasks = JoinSet::new();
    for mut client in clients {
        tasks.spawn(async move {
            client.hear(|_| true).await;
            client.hear(|_| true).await;
            (bare::now_ms(), client)
        });
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let start = bare::now_ms();
    bare.go();
    let bare_last = tasks.join_all().await.iter().map(|(at, _)| *at).max().expect("somebody") - start;
    println!(
        "| a result to {count} terminals, each with its own settlement ({} + {} bytes): the last one after | {last} ms (bare \
         broadcast {bare_last} ms) | {:.2} | ≤ 2.5 |",
        public.len(),
        own.len(),
        last as f64 / bare_last as f64,
    );
}
