//! `punto settle` as a stream: any input is answered line by line, money is conserved, memory stays flat.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::run::{data, punto_with};
use punto_rules::rulebook::APPROVED;
use punto_rules::{Card, LimitsModel, Rulebook, Step, reconstruct};
use serde_json::{Value, json};

/// `soak` at full count, `test` else.
fn scale(name: &str, test: u32, soak: u32) -> u32 {
    let count = if std::env::var_os("PUNTO_SOAK").is_some_and(|it| it == "1") { soak } else { test };
    println!("soak: {name}: {count} cases");
    count
}

/// A small generator for tests (xorshift64*): the same stream on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % sides
    }
}

const SEEDS: [&str; 4] = [
    r#"{"game":"wu-song","layout":"A","cards":["2s","3d","3c","3h","5d"],"wagers":[{"patron":"p1","box":1,"stance":"seated","bet":"banker","stake":10000},{"patron":"p2","box":2,"stance":"standing","bet":"tie","stake":50}]}"#,
    r#"{"game":"da-hu-ying-xiong","layout":"B","limits":{"minimum":100,"differential":1000,"unit":20},"cards":["Ts","8d","4c","Jh"],"wagers":[{"patron":"a","box":3,"stance":"seated","bet":"banker","stake":2000},{"patron":"b","box":3,"stance":"standing","bet":"player","stake":200}]}"#,
    r#"{"game":"ncb-etg","layout":"terminal","cards":["2s","2d","4c","4h"],"wagers":[{"patron":"t","bet":"player-pair","stake":4}]}"#,
    r#"{"game":"rws-baccarat","layout":"H","cards":["9s","2d","9h","Kd"],"wagers":[{"patron":"x","box":9,"stance":"seated","bet":"player-wins-on-8","stake":2}]}"#,
];

const WORDS: [&str; 16] = [
    "null",
    "-1",
    "0",
    "1e9",
    "9007199254740991",
    "18446744073709551616",
    "\"\"",
    "\"banker\"",
    "\"As\"",
    "[]",
    "{}",
    "true",
    "\"\\u0000\"",
    "0.5",
    "\"武松\"",
    "\"seated\"",
];

fn mutate(line: &str, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(bytes.len());
        match dice.roll(6) {
            0 => bytes[at] = dice.roll(256) as u8,
            1 => drop(bytes.remove(at)),
            2 => bytes.truncate(at.max(1)),
            3 => {
                // Replace a value by another word: from a colon or comma to the next delimiter.
                let begin = bytes[at..].iter().position(|b| b":,[".contains(b)).map_or(at, |n| at + n + 1);
                let end = bytes[begin..].iter().position(|b| b",]}".contains(b)).map_or(begin, |n| begin + n);
                bytes.splice(begin..end, WORDS[dice.roll(WORDS.len())].bytes());
            }
            4 => {
                let other = SEEDS[dice.roll(SEEDS.len())].as_bytes();
                let from = dice.roll(other.len());
                bytes.splice(at..at, other[from..(from + 12).min(other.len())].iter().copied());
            }
            _ => bytes.insert(at, b"{}[],:\"\\"[dice.roll(8)]),
        }
        if bytes.is_empty() {
            bytes.push(b'{');
        }
    }
    bytes.retain(|byte| *byte != b'\n');
    bytes
}

/// A line as a table would write it, now and then with an odd stake, an unknown box or a card too few.
fn plausible(rulebooks: &[Rulebook], dice: &mut Dice) -> Vec<u8> {
    let rulebook = &rulebooks[dice.roll(rulebooks.len())];
    let layout = &rulebook.layouts[dice.roll(rulebook.layouts.len())];
    let mut cards = Vec::new();
    while let Step::Draw(_) = reconstruct(&cards).0.step() {
        cards.push(Card::from_index(dice.roll(Card::KINDS)));
    }
    if dice.roll(20) == 0 {
        cards.pop();
    }
    let unit = layout.exact_unit().get() * 10u64.pow(dice.roll(4) as u32);
    let wagers: Vec<Value> = (0..dice.roll(12))
        .map(|i| {
            let odd = u64::from(dice.roll(100) == 0);
            json!({
                "patron": format!("p{i}"),
                "box": 1 + dice.roll(layout.most_boxes() as usize) + usize::from(dice.roll(200) == 0),
                "stance": if dice.roll(2) == 0 { "seated" } else { "standing" },
                "bet": layout.bets[dice.roll(layout.bets.len())].id,
                "stake": unit * (1 + dice.roll(1_000) as u64) + odd,
            })
        })
        .collect();
    let mut line = json!({ "game": rulebook.game, "layout": layout.id, "cards": cards, "wagers": wagers });
    if rulebook.limits.model == LimitsModel::Differential && dice.roll(2) == 0 {
        line["limits"] =
            json!({ "minimum": unit, "differential": unit * (1 + dice.roll(300) as u64), "unit": unit });
    }
    line.to_string().into_bytes()
}

/// Lost stakes less winnings, and every stake accounted for.
fn check_money(settled: &Value) {
    let amount = |line: &Value, key: &str| line[key].as_i64().unwrap_or_else(|| panic!("{key} of {line}"));
    let mut house = 0;
    for line in settled["lines"].as_array().expect("lines") {
        let [stake, playing, returned, winnings] =
            ["stake", "playing", "returned", "winnings"].map(|key| amount(line, key));
        assert!((0..=stake).contains(&playing) && winnings >= 0, "{line}");
        match line["verdict"].as_str().expect("a verdict") {
            "won" => assert_eq!(returned, stake - playing, "{line}"),
            "lost" => assert_eq!((returned, winnings), (stake - playing, 0), "{line}"),
            "returned" => assert_eq!((returned, winnings), (stake, 0), "{line}"),
            other => panic!("verdict {other}"),
        }
        house += if line["verdict"] == "lost" { playing } else { -winnings };
    }
    assert_eq!(settled["house"].as_i64(), Some(house));
}

#[test]
fn any_line_is_answered_and_money_is_conserved() {
    let count = scale("settle fuzz", 20_000, 1_000_000);
    let mut dice = Dice(0x5eed);
    let rulebooks: Vec<Rulebook> =
        APPROVED.iter().map(|(_, text)| Rulebook::parse(text).expect("approved")).collect();
    let (mut settled_lines, mut bad_lines) = (0u32, 0u32);
    for _ in 0..count / 500 {
        let mut input = Vec::new();
        for _ in 0..500 {
            input.extend(match dice.roll(2) {
                0 => mutate(SEEDS[dice.roll(SEEDS.len())], &mut dice),
                _ => plausible(&rulebooks, &mut dice),
            });
            input.push(b'\n');
        }
        let mut out = Vec::new();
        let tally =
            punto::settle::ndjson(&mut input.as_slice(), &mut out).expect("writing to memory cannot fail");
        let text = std::str::from_utf8(&out).expect("UTF-8");
        assert_eq!(text.lines().count() as u64, tally.lines, "one answer a line");
        for answer in text.lines() {
            let answer: Value = serde_json::from_str(answer).expect("JSON");
            if answer.get("error").is_some() {
                assert!((1..=500).contains(&answer["line"].as_u64().expect("a number")));
                assert!(!answer["error"].as_str().expect("a message").is_empty());
                bad_lines += 1;
            } else {
                check_money(&answer);
                settled_lines += 1;
            }
        }
    }
    println!("settle fuzz: {settled_lines} settled, {bad_lines} refused");
    assert!(settled_lines > count / 4 && bad_lines > count / 4, "the fuzzer reaches both sides");
}

#[test]
fn a_line_of_more_than_a_mebibyte_is_refused_and_the_next_is_settled() {
    let mut input = vec![b' '; 3 << 20];
    input.insert(0, b'{');
    input.push(b'\n');
    input.extend_from_slice(SEEDS[2].as_bytes());
    let mut out = Vec::new();
    let tally = punto::settle::ndjson(&mut input.as_slice(), &mut out).expect("written");
    assert_eq!((tally.lines, tally.bad), (2, 1));
    let answers = String::from_utf8(out).expect("UTF-8");
    assert!(answers.lines().next().is_some_and(|line| line.contains("at most 1048576 bytes")), "{answers}");
}

/// The peak memory of a process so far, in KiB.
fn peak_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a running process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux tells");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[test]
#[cfg(target_os = "linux")]
fn memory_stays_flat() {
    let lines = scale("settle memory", 20_000, 1_000_000);
    let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
        .arg("settle")
        .current_dir(data())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("piped");
    let stdout = BufReader::new(child.stdout.take().expect("piped"));
    let pid = child.id();
    let (half, peak) = std::thread::scope(|scope| {
        scope.spawn(move || {
            for i in 0..lines {
                // Limits that never come twice must not pile up either.
                let limits =
                    format!(r#""limits":{{"minimum":{},"differential":900000}}"#, 2 + 2 * (i % 100_000));
                let line = SEEDS[0].replace(r#""cards""#, &format!(r#"{limits},"cards""#));
                writeln!(stdin, "{line}").expect("read");
            }
        });
        let (mut half, mut peak) = (0, 0);
        for (index, line) in stdout.lines().enumerate() {
            assert!(line.expect("a line").starts_with("{\"outcome\""));
            // Before the last lines are out the process is still there to be asked.
            if index as u32 == lines / 10 {
                half = peak_memory(pid);
            }
            if index as u32 == lines * 9 / 10 {
                peak = peak_memory(pid);
            }
        }
        (half, peak)
    });
    assert!(child.wait().expect("our child").success());
    println!("settle memory: {half} KiB after a tenth, {peak} KiB after nine tenths of {lines} lines");
    assert!(half > 0 && peak <= half + 2_048, "memory grew from {half} to {peak} KiB");
}

/// What is over the Differential is shared out where the rule book says so, as at a table.
#[test]
fn the_remedy_of_the_rule_book_decides_about_the_differential() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, text) = APPROVED.iter().find(|(game, _)| game.starts_with("wu-song")).expect("an approved game");
    let clause = text
        .split("[[irregularity]]")
        .find(|it| it.contains("kind = \"over-differential\""))
        .expect("its clause");
    let other = clause.replace("\"pro-rata\"", "\"play-as-placed\"");
    let plays = |name: &str, clause_instead: &str| {
        let path = folder.path().join(name);
        let text = text.replace(&format!("[[irregularity]]{clause}"), clause_instead);
        std::fs::write(&path, text).expect("a rule book");
        let line = json!({
            "game": path, "layout": "A", "limits": { "minimum": 100, "differential": 1000 },
            "cards": ["2s", "3d", "3c", "3h", "5d"],
            "wagers": [{ "patron": "p", "box": 1, "stance": "seated", "bet": "player", "stake": 5000 }],
        });
        let settled = punto_with(&["settle"], &format!("{line}\n")).json();
        settled["lines"][0]["playing"].as_u64().unwrap_or_else(|| panic!("{settled}"))
    };
    assert_eq!(plays("shared.toml", &format!("[[irregularity]]{clause}")), 1000);
    assert_eq!(plays("as-placed.toml", &format!("[[irregularity]]{other}")), 5000);
}
