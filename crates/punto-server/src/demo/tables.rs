//! The tables of the demonstration: one of each game, each a little different, and one where a visitor deals.

use punto_record::{BoxNo, Cards, Faces, ResultBy, Settings, TableId};
use punto_rules::{BoxLimits, Burn, Money, PatronNo, Range};

use super::pace::Pace;

/// How many there are.
pub const COUNT: usize = 5;

/// How long bets are open, and patrons may choose, in seconds of real time.
const BETTING: u16 = 11;
const CHOOSING: u16 = 10;

/// A table before it is set up.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) settings: Settings,
    /// Whether the house runs it by itself.
    pub(super) electronic: bool,
    /// The patrons at it.
    pub(super) patrons: u32,
    /// Whether nobody deals and rules there but whoever comes to try it.
    pub(super) practice: bool,
}

/// The tables.
pub(super) fn plans(pace: Pace) -> [Plan; COUNT] {
    let mut etg = live("etg-1", "ncb-etg", "terminal", pace);
    etg.betting_box = None;
    etg.other_bets = range(500, 200_000);

    let mut wu_song = live("wu-song-1", "wu-song", "A", pace);
    wu_song.burn = Burn::Fixed(1);

    // Here the Dealer confirms every result, and the burn goes by the first card.
    let mut rws = live("rws-1", "rws-baccarat", "A", pace);
    rws.result = Some(ResultBy::Confirmed);
    rws.burn = Burn::ByFirstCard;

    // Here cards are dealt face down, and somebody may squeeze.
    let mut da_hu = live("da-hu-1", "da-hu-ying-xiong", "A", pace);
    da_hu.faces = Faces::Down;

    // Here a visitor is the Dealer, with cards of their own.
    let mut practice = live("practice-1", "wu-song", "D", pace);
    practice.cards = Cards::Real;

    let plan = |settings, electronic, patrons| Plan { settings, electronic, patrons, practice: false };
    [
        plan(etg, true, 14),
        plan(wu_song, false, 9),
        plan(rws, false, 7),
        plan(da_hu, false, 6),
        Plan { practice: true, ..plan(practice, false, 6) },
    ]
}

/// The box at which a visitor sits; none at the electronic table.
pub(crate) fn visitors_box(table: &TableId) -> Option<BoxNo> {
    let live = plans(Pace::FlatOut).into_iter().filter(|plan| !plan.electronic);
    live.map(|plan| plan.settings.table).find(|it| it == table).map(|_| BoxNo(1))
}

/// The box at which a patron of the demonstration sits: the next ones, as far as the table has so many.
pub(super) fn patrons_box(plan: &Plan, PatronNo(no): PatronNo) -> Option<BoxNo> {
    let box_no = u8::try_from(no + 1).ok().map(BoxNo);
    box_no.filter(|_| !plan.electronic)
}

/// A live table with a software shoe: boxes from 25 to 5,000 dollars apart, side bets from 5 to 500.
fn live(table: &str, game: &str, layout: &str, pace: Pace) -> Settings {
    let text = serde_json::json!({ "table": table, "game": game, "layout": layout, "decks": 8 });
    let mut settings: Settings = serde_json::from_value(text).expect("settings with everything by default");
    let (minimum, differential) = (cents(2_500), cents(500_000));
    settings.betting_box = Some(BoxLimits { minimum, differential });
    settings.other_bets = range(500, 50_000);
    settings.cards = Cards::Software;
    settings.cut_card = 60;
    settings.betting_seconds = pace.seconds(BETTING);
    settings.choice_seconds = pace.seconds(CHOOSING).max(20);
    settings
}

fn range(minimum: u64, maximum: u64) -> Option<Range> {
    Some(Range { minimum: cents(minimum), maximum: cents(maximum) })
}

/// So many cents.
pub(super) fn cents(cents: u64) -> Money {
    Money::new(cents).expect("amounts of a demonstration are small")
}

#[cfg(test)]
mod tests {
    use punto_rules::Rulebook;
    use punto_rules::rulebook::APPROVED;
    use punto_table::Law;

    use super::*;

    #[test]
    fn every_game_has_a_table_that_its_rule_book_allows() {
        let mut games: Vec<String> = Vec::new();
        for plan in plans(Pace::FlatOut).into_iter().chain(plans(Pace::Times(1))) {
            let is_its =
                |text: &&str| Rulebook::parse(text).is_ok_and(|book| book.game == plan.settings.game);
            let text = APPROVED.iter().map(|(_, text)| *text).find(is_its).expect("an approved rule book");
            let law = Law::new(&plan.settings, text).expect("settings that the rule book allows");
            assert_eq!(law.is_electronic(), plan.electronic, "{}", plan.settings.table);
            assert!((6..=14).contains(&plan.patrons));
            assert!(cents(500).is_whole(law.terms.unit()), "stakes are bet in multiples of five dollars");
            games.push(plan.settings.game);
        }
        games.sort_unstable();
        games.dedup();
        assert_eq!(games.len(), APPROVED.len());
    }
}
