//! PAR sheets: their figures are the pricer's, their sums are exact, their pages are whole and stand alone.

mod made_up;
mod textbook;

use made_up::rulebook;
use punto_odds::{
    Comparison, CountedBet, CountingSection, Generator, ParInput, ParSheet, Pricer, Ratio, Simulation,
    SimulationRun, effects_of_removal,
};
use punto_rules::{Composition, LimitsAsked, Rulebook, Terms};

/// Every approved game with one of its layouts.
const TABLES: [(&str, &str); 4] =
    [("wu-song", "A"), ("ncb-etg", "terminal"), ("rws-baccarat", "A"), ("da-hu-ying-xiong", "A")];
const DIGEST: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

struct Made {
    terms: Terms,
    pricer: Pricer,
    sheet: ParSheet,
}

fn make(game: &str, layout: &str) -> Made {
    make_of(&Rulebook::approved(game).unwrap(), layout, 8)
}

fn make_of(rulebook: &Rulebook, layout: &str, decks: u8) -> Made {
    let terms = rulebook.terms(layout, decks, &LimitsAsked::default()).unwrap();
    let (pricer, shoe) = (Pricer::new(&terms), Composition::decks(decks));
    let tally = Simulation::new(terms.space(), &shoe, Generator::Fast, 7).block(0, 100_000);
    let comparison = Comparison::new(&pricer, &shoe, &tally).unwrap();
    let simulation =
        SimulationRun { comparison: &comparison, generator: Generator::Fast, seed: 7, rounds: tally.rounds };
    let input = ParInput {
        rulebook,
        terms: &terms,
        pricer: &pricer,
        game_argument: &rulebook.game,
        digest: DIGEST,
        software: "punto 0.0.0",
        simulation,
        counting: None,
    };
    let sheet = ParSheet::new(&input).unwrap();
    Made { terms, pricer, sheet }
}

fn each(mut check: impl FnMut(&Made)) {
    TABLES.iter().for_each(|(game, layout)| check(&make(game, layout)));
}

#[test]
fn figures_are_those_of_the_pricer() {
    each(|Made { terms, pricer, sheet }| {
        let shoe = Composition::decks(8);
        let (prices, effects) = (pricer.price(&shoe).unwrap(), effects_of_removal(pricer, &shoe).unwrap());
        assert_eq!(sheet.bets.len(), terms.bets().len());
        for (index, (bet, price)) in sheet.bets.iter().zip(&prices).enumerate() {
            assert_eq!(bet.bet, terms.bets()[index].id.as_str());
            assert_eq!(sheet.sequences, price.sequences);
            let counts: Vec<u64> = bet.rows.iter().map(|row| row.sequences).collect();
            assert_eq!(counts, [&price.rows[..], &[price.lost]].concat());
            assert_eq!(bet.summary.edge_exact, price.edge());
            assert_eq!(bet.summary.rtp_exact, Ratio::new(1, 1).minus(price.edge()));
            assert_eq!((bet.summary.sd, bet.summary.skew), (price.sd(), price.skew()));
            assert_eq!((bet.summary.hit, bet.summary.returned), (price.hit(), price.share(price.returned())));
            assert!(bet.removal.iter().map(|it| it.effect_exact).eq(effects[index].values().iter().copied()));
            assert!(bet.removal.iter().all(|it| it.suits == "shdc"));
        }
    });
}

#[test]
fn gains_of_the_rows_add_up_to_the_edge_exactly() {
    each(|Made { sheet, .. }| {
        for bet in &sheet.bets {
            // −Σ gain, since fractions know no sum but a difference.
            let edge = bet.rows.iter().fold(Ratio::ZERO, |edge, row| edge.minus(row.gain_exact));
            assert_eq!(edge, bet.summary.edge_exact, "{}", bet.bet);
            assert_eq!(bet.rows.iter().map(|row| row.sequences).sum::<u64>(), sheet.sequences);
            let returns: f64 = bet.rows.iter().map(|row| row.returns).sum();
            assert!((returns - bet.summary.rtp).abs() < 1e-12, "{}", bet.bet);
        }
    });
}

#[test]
fn intervals_and_volatility_follow_the_formula() {
    each(|Made { sheet, .. }| {
        for bet in &sheet.bets {
            let (rtp, sd, vi) = (bet.summary.rtp, bet.summary.sd, bet.summary.volatility_index);
            assert_eq!([vi.at_90, vi.at_95, vi.at_99], [1.645, 1.960, 2.576].map(|z| z * sd));
            let rounds: Vec<u64> = bet.intervals.iter().map(|it| it.rounds).collect();
            assert_eq!(rounds, [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]);
            for it in &bet.intervals {
                for (z, [low, high]) in [(1.645, it.at_90), (1.960, it.at_95), (2.576, it.at_99)] {
                    let half = z * sd / (it.rounds as f64).sqrt();
                    assert!((low - (rtp - half)).abs() < 1e-12 && (high - (rtp + half)).abs() < 1e-12);
                }
            }
        }
    });
}

/// Edge 1.2351 %, SD 0.9512: 98.7649 % ± 1.96 × 0.9512 ÷ 100.
#[test]
fn da_hu_player_by_hand() {
    let sheet = make("da-hu-ying-xiong", "A").sheet;
    let player = &sheet.bets[0];
    assert!((player.summary.rtp - 0.987_649).abs() < 1e-6);
    let [low, high] = player.intervals[2].at_95;
    assert!((low - 0.969_006).abs() < 1e-5 && (high - 1.006_292).abs() < 1e-5, "{low} {high}");
}

/// The numbers of decks of the sheet, by its data and by its table.
fn decks_listed(sheet: &ParSheet) -> Vec<u8> {
    let decks: Vec<u8> = sheet.bets[0].by_decks.iter().map(|it| it.decks).collect();
    assert!(sheet.bets.iter().all(|bet| bet.by_decks.iter().map(|it| it.decks).eq(decks.iter().copied())));
    let markdown = sheet.to_markdown();
    let table = markdown.split("**House edge in percent by number of decks**").nth(1).unwrap();
    let heading = table.lines().find(|line| line.starts_with("| Bet")).unwrap();
    let printed = heading.split('|').filter_map(|cell| cell.trim().parse::<u8>().ok());
    assert!(printed.eq(decks.iter().copied()), "{heading}");
    decks
}

/// Exactly the numbers that 2.2.1 of each document allows: 4 to 10 decks at live tables, 4 to 8 at electronic ones.
#[test]
fn every_number_of_decks_that_the_game_allows_and_no_other() {
    each(|Made { pricer, sheet, .. }| {
        let most = if sheet.identification.game == "ncb-etg" { 8 } else { 10 };
        assert_eq!(decks_listed(sheet), (4..=most).collect::<Vec<u8>>());
        for (index, bet) in sheet.bets.iter().enumerate() {
            for it in &bet.by_decks {
                let price = &pricer.price(&Composition::decks(it.decks)).unwrap()[index];
                assert_eq!((it.edge_exact, it.can_win), (price.edge(), true));
            }
        }
    });
    let rows = [("tie", r#"{ winner = "tie", odds = "8 to 1" }"#)];
    for (allowed, decks) in [(1..=2, 1), (1..=10, 8), (3..=3, 3), (9..=10, 10)] {
        let sheet = make_of(&rulebook(allowed.clone(), &rows), "A", decks).sheet;
        assert_eq!(decks_listed(&sheet), allowed.collect::<Vec<u8>>());
        check_tags(&sheet.to_html());
    }
    let one = make_of(&rulebook(1..=1, &rows), "A", 1).sheet.to_markdown();
    assert!(
        one.contains("Layout A · 1 deck · 1 bet\n")
            && one.contains("1 deck, 52 cards; the rules allow 1 deck only")
    );
}

/// Two copies of a card need two decks, five copies five.
#[test]
fn bets_that_cannot_win_are_named() {
    let bets = [
        ("tie", r#"{ winner = "tie", odds = "8 to 1" }"#),
        ("suited", r#"{ suited_pairs = "player", odds = "25 to 1" }"#),
        ("five-aces", r#"{ count = { rank = "A", suit = "spades", is = [5, 6] }, odds = "1000 to 1" }"#),
    ];
    let rulebook = rulebook(1..=6, &bets);
    let sheet = make_of(&rulebook, "A", 1).sheet;
    let dead: Vec<Vec<u8>> = sheet.bets.iter().map(|bet| bet.cannot_win()).collect();
    assert_eq!(dead, [vec![], vec![1], vec![1, 2, 3, 4]]);
    let markdown = sheet.to_markdown();
    assert!(!markdown.contains("tie cannot win"));
    assert!(markdown.contains("- suited cannot win") && markdown.contains("- five-aces cannot win"));
    assert!(markdown.contains("| suited | ‡ 100.0000 | ") && markdown.contains("‡ marks shoes"));
    // With two decks only the five Aces are out of reach, and from five on nothing is.
    let two = make_of(&rulebook, "A", 2).sheet.to_markdown();
    assert!(!two.contains("- suited cannot win") && two.contains("- five-aces cannot win"));
    let six = make_of(&rulebook, "A", 6).sheet.to_markdown();
    assert!(!six.contains("cannot win:") && six.contains("‡ marks shoes"));
}

/// Effects of bets on suits are printed for each set of suits, and weigh all cards in the root of the mean square.
#[test]
fn removal_effects_by_suits() {
    let bets = [
        ("tie", r#"{ winner = "tie", odds = "8 to 1" }"#),
        ("no-black", r#"{ count = { suit = ["spades", "clubs"], is = 0 }, odds = "26 to 1" }"#),
        ("no-ace-of-hearts", r#"{ count = { rank = "A", suit = "hearts", is = 0 }, odds = "1 to 100" }"#),
    ];
    let Made { pricer, sheet, .. } = make_of(&rulebook(1..=8, &bets), "A", 2);
    let sets: Vec<Vec<&str>> = sheet
        .bets
        .iter()
        .map(|bet| bet.removal.chunks(13).map(|effects| effects[0].suits.as_str()).collect())
        .collect();
    assert_eq!(sets, [vec!["shdc"], vec!["sc", "hd"], vec!["sdc", "h"]]);
    let exact = effects_of_removal(&pricer, &Composition::decks(2)).unwrap();
    for (bet, exact) in sheet.bets.iter().zip(&exact) {
        let mut cards = 0;
        let mut squares = 0.0;
        for it in &bet.removal {
            for suit in it.suits.chars() {
                let card = format!("{}{suit}", it.rank).parse().unwrap();
                assert_eq!(it.effect_exact, exact.of(card), "{} {card}", bet.bet);
                (cards, squares) = (cards + 1, squares + it.effect * it.effect);
            }
        }
        assert_eq!(cards, 52, "{}", bet.bet);
        assert!((bet.removal_rms - (squares / 52.0).sqrt()).abs() < 1e-15);
    }
    let markdown = sheet.to_markdown();
    assert!(markdown.contains("| tie | any | ") && markdown.contains("| no-black | ♠♣ | +"));
    assert!(markdown.contains("|  | ♥♦ | −"));
    assert!(markdown.contains("Suits make a difference to these bets: no-black, no-ace-of-hearts."));
    assert!(!markdown.contains("it is a spade"));
    check_tags(&sheet.to_html());
}

#[test]
fn pairs_of_bets() {
    let sheet = make("da-hu-ying-xiong", "A").sheet;
    assert_eq!(sheet.pairs.len(), 8 * 7 / 2);
    let of = |a: &str, b: &str| sheet.pairs.iter().find(|it| it.bets == [a, b]).unwrap();
    let wins = |id: &str| sheet.bets.iter().find(|bet| bet.bet == id).unwrap().rows[0].sequences;
    assert_eq!(of("player", "banker").both_win, 0);
    // Every Big Tiger is a Banker win and a Tiger.
    assert_eq!(of("banker", "big-tiger").both_win, wins("big-tiger"));
    assert_eq!(of("tiger", "big-tiger").both_win, wins("big-tiger"));
    assert!(of("player", "banker").correlation < -0.9);
}

#[test]
fn only_what_bears_on_the_layout_is_assumed() {
    let interpretations = |game, layout| -> Vec<char> {
        let lines = make(game, layout).sheet.assumptions;
        lines.iter().filter_map(|line| line.strip_prefix("Interpretation ")?.chars().next()).collect()
    };
    assert_eq!(interpretations("wu-song", "A"), ['1', '3']);
    assert_eq!(interpretations("rws-baccarat", "A"), ['1']);
    assert_eq!(interpretations("da-hu-ying-xiong", "A"), ['1', '2', '6']);
}

#[test]
fn every_bet_and_every_pay_is_printed() {
    each(|Made { terms, sheet, .. }| {
        let (markdown, html) = (sheet.to_markdown(), sheet.to_html());
        for text in [&markdown, &html] {
            assert!(text.contains(DIGEST) && text.contains("punto 0.0.0"));
            for bet in terms.bets() {
                assert!(text.contains(&bet.label.en) && text.contains(bet.id.as_str()), "{}", bet.id);
            }
        }
        for bet in &sheet.bets {
            for row in &bet.rows {
                let cells = |open: &str, close: &str| format!("{open}{}{close}", row.pays);
                assert!(
                    markdown.contains(&cells("| ", " |")) && html.contains(&cells(">", "</td>")),
                    "{row:?}"
                );
                assert!(html.contains(&row.when) && markdown.contains(&row.when), "{row:?}");
            }
        }
    });
}

/// Opens and closes tags as a stack; `<br>` and the like have no end, SVG shapes end themselves.
fn check_tags(html: &str) {
    const NO_END: [&str; 3] = ["!DOCTYPE", "meta", "br"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[..end];
        assert!(!tag.contains('<'), "`<` within a tag: {tag}");
        assert!(tag.matches('"').count().is_multiple_of(2), "a quote is open: {tag}");
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closing");
        } else if !tag.ends_with('/') && !NO_END.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

#[test]
fn the_page_is_well_formed_and_stands_alone() {
    each(|Made { sheet, .. }| {
        let html = sheet.to_html();
        check_tags(&html);
        for foreign in ["http://", "https://", "<script", "@import", "url(", "<link", "<img", "src="] {
            assert!(!html.contains(foreign), "{foreign}");
        }
        let plots: Vec<&str> = html.split("<svg ").skip(1).collect();
        assert_eq!(plots.len(), 6);
        for plot in plots {
            let plot = plot.split("</svg>").next().unwrap();
            assert!(
                plot.contains("role=\"img\"") && plot.contains("<title id=") && plot.contains("<desc id=")
            );
            assert!(!plot.contains("NaN") && !plot.contains("inf"), "a figure that is none");
        }
        let ids: Vec<&str> = html.split(" id=\"").skip(1).map(|it| it.split('"').next().unwrap()).collect();
        let links = html.split("href=\"#").skip(1).map(|it| it.split('"').next().unwrap());
        links.for_each(|link| assert!(ids.contains(&link), "{link}"));
        ids.iter().for_each(|id| assert_eq!(ids.iter().filter(|other| *other == id).count(), 1, "{id}"));
    });
}

#[test]
#[should_panic(expected = "closing")]
fn the_checker_of_tags_can_fail() {
    check_tags("<p><b></p></b>");
}

/// A name with markup in it must not become markup.
#[test]
fn names_are_escaped() {
    let mut sheet = make("da-hu-ying-xiong", "A").sheet;
    sheet.bets[0].label.en = "A <b> & \"c\"".to_string();
    sheet.identification.title.en = "</style><script>\"".to_string();
    let html = sheet.to_html();
    check_tags(&html);
    assert!(!html.contains("<script") && html.contains("A &lt;b&gt; &amp; &quot;c&quot;"));
}

#[test]
fn counting_is_printed_where_there_is_some() {
    let mut sheet = make("wu-song", "A").sheet;
    assert_eq!(sheet.counting, None);
    assert!(sheet.to_markdown().contains("No shoes were played"));
    let bet = CountedBet {
        bet: "tie".into(),
        cut: 14,
        chances: 0.012,
        gain: 0.034,
        gain_per_shoe: 0.5,
        error: 0.01,
    };
    let settings = vec!["Nothing is burnt.".to_string()];
    sheet.counting = Some(CountingSection { shoes: 1_000, seed: 7, settings, bets: vec![bet] });
    assert!(sheet.to_markdown().contains("| Tie | 14 | 1.200 | +3.400 | +0.5000 | 0.0100 |"));
    check_tags(&sheet.to_html());
    assert!(sheet.to_html().contains("<li>Nothing is burnt.</li>"));
}

#[test]
fn tables_of_markdown_have_a_cell_for_each_heading() {
    each(|Made { sheet, .. }| {
        let markdown = sheet.to_markdown();
        let mut width = 0;
        for line in markdown.lines() {
            let cells = if line.starts_with('|') { line.replace("\\|", "").matches('|').count() } else { 0 };
            assert!(width == 0 || cells == 0 || cells == width, "{line}");
            width = cells;
        }
    });
}
