//! The inventory: which paragraphs each document has, and what is known of each beforehand.
//!
//! A paragraph counts if it has a number of its own with at least one point, at whatever depth; the five section
//! headings do not. 2.1.1(a) of the live games and the appendices are listed beside them.

/// A document and where its things are.
pub(crate) struct Game {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// The file under rulebooks/.
    pub(crate) rulebook: &'static str,
    /// How the names of its tests begin.
    pub(crate) prefixes: &'static [&'static str],
    /// How many numbered paragraphs it has.
    pub(crate) numbered: usize,
    /// What else it has.
    pub(crate) others: &'static [&'static str],
    inventory: &'static str,
}

pub(crate) const GAMES: [Game; 4] = [
    Game {
        id: "wu-song",
        title: "Wu Song (Non-Commission Baccarat), version 3",
        rulebook: "wu-song-v3.toml",
        prefixes: &["wu_song"],
        numbered: 100,
        others: &[
            "2.1.1(a)",
            "Appendix A",
            "Appendix B",
            "Appendix C",
            "Appendix D",
            "Appendix E",
            "Appendix F",
        ],
        inventory: include_str!("wu-song.txt"),
    },
    Game {
        id: "ncb-etg",
        title: "Non-Commission Baccarat (Electronic Table Game), version 5",
        rulebook: "ncb-etg-v5.toml",
        prefixes: &["ncb_etg"],
        numbered: 63,
        others: &[],
        inventory: include_str!("ncb-etg.txt"),
    },
    Game {
        id: "rws-baccarat",
        title: "RWS Baccarat, version 2",
        rulebook: "rws-baccarat-v2.toml",
        prefixes: &["rws_baccarat", "rws"],
        numbered: 85,
        others: &[
            "2.1.1(a)",
            "Appendix A",
            "Appendix B",
            "Appendix C",
            "Appendix D",
            "Appendix E",
            "Appendix F",
            "Appendix G",
            "Appendix H",
        ],
        inventory: include_str!("rws-baccarat.txt"),
    },
    Game {
        id: "da-hu-ying-xiong",
        title: "Da Hu Ying Xiong (Commission Baccarat), 2019",
        rulebook: "da-hu-ying-xiong-2019.toml",
        prefixes: &["da_hu_ying_xiong", "da_hu"],
        numbered: 83,
        others: &["2.1.1(a)", "Appendix A", "Appendix B", "Appendix C", "Appendix D"],
        inventory: include_str!("da-hu-ying-xiong.txt"),
    },
];

/// Something in a file: a source and words in it, or a test file and a test in it. Paths are under crates/.
#[derive(Clone, Debug)]
pub(crate) struct InFile {
    pub(crate) file: String,
    pub(crate) what: String,
}

/// One line of an inventory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paragraph {
    pub(crate) number: String,
    /// In our own words.
    pub(crate) about: String,
    pub(crate) code: Vec<InFile>,
    pub(crate) tests: Vec<InFile>,
    pub(crate) checks: Vec<String>,
    /// Tests in a real browser: the file under web/browser and the name of the test.
    pub(crate) browser: Vec<InFile>,
    /// Carried out and proven as another paragraph.
    pub(crate) same_as: Option<String>,
    /// Carried out where another paragraph is.
    pub(crate) see: Option<String>,
    /// About conduct: a test that merely bears its number is not enough.
    pub(crate) at_the_table: bool,
    /// About what people see: nothing but a test in a browser is enough.
    pub(crate) on_a_screen: bool,
    pub(crate) no_effect: Option<String>,
}

impl Paragraph {
    fn read(line: &str) -> Paragraph {
        let mut parts = line.split('|').map(str::trim);
        let number = parts.next().unwrap_or_default().to_string();
        let about = parts.next().unwrap_or_else(|| panic!("what it is about: {line}")).to_string();
        let mut paragraph = Paragraph { number, about, ..Paragraph::default() };
        for part in parts {
            let in_file = |text: &str| {
                let (file, what) = text.split_once(' ').unwrap_or_else(|| panic!("a file and words: {line}"));
                InFile { file: file.to_string(), what: what.to_string() }
            };
            if let Some(code) = part.strip_prefix("code: ") {
                paragraph.code.push(in_file(code));
            } else if let Some(test) = part.strip_prefix("test: ") {
                paragraph.tests.push(in_file(test));
            } else if let Some(check) = part.strip_prefix("check: ") {
                paragraph.checks.push(check.to_string());
            } else if let Some(test) = part.strip_prefix("browser: ") {
                paragraph.browser.push(in_file(test));
            } else if part == "on a screen" {
                paragraph.on_a_screen = true;
            } else if let Some(other) = part.strip_prefix("as ") {
                paragraph.same_as = Some(other.to_string());
            } else if let Some(other) = part.strip_prefix("see ") {
                paragraph.see = Some(other.to_string());
            } else if let Some(reason) = part.strip_prefix("no effect: ") {
                paragraph.no_effect = Some(reason.to_string());
            } else {
                assert_eq!(part, "at the table", "what is that? {line}");
                paragraph.at_the_table = true;
            }
        }
        paragraph
    }

    /// The number as numbers; `None` for a letter or an appendix.
    pub(crate) fn numbers(&self) -> Option<Vec<u32>> {
        self.number.split('.').map(|number| number.parse().ok()).collect()
    }
}

impl Game {
    pub(crate) fn paragraphs(&self) -> Vec<Paragraph> {
        let lines = self.inventory.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(Paragraph::read).collect()
    }
}

/// Whether nothing can stand between two numbers: a first child, the next sibling of the one before or of one above
/// it, or the first of the next section.
pub(crate) fn follows(before: &[u32], after: &[u32]) -> bool {
    let (last, above) = after.split_last().expect("a number");
    let first_child = *last == 1 && above == before;
    let next_section = *after == [before[0] + 1, 1];
    let sibling = (2..=before.len())
        .any(|depth| after.len() == depth && *above == before[..depth - 1] && *last == before[depth - 1] + 1);
    first_child || next_section || sibling
}
