//! A document before it is written: sections of text, tables and plots. Markdown and HTML are both made from it.

/// Everything that is printed.
pub(super) struct Document {
    pub(super) title: String,
    /// `layout A · 8 decks`
    pub(super) subtitle: String,
    /// What stands at the foot of each printed page.
    pub(super) footer: String,
    pub(super) sections: Vec<Section>,
}

pub(super) struct Section {
    /// For links within the page.
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) blocks: Vec<Block>,
}

pub(super) enum Block {
    /// A paragraph; text between backticks is code.
    Text(String),
    List(Vec<String>),
    Facts(Vec<Fact>),
    Table(Table),
    Plot(Plot),
    Code(Vec<String>),
}

/// A name and what it stands for.
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) value: String,
    /// The language of the value, where it is not English.
    pub(super) language: Option<&'static str>,
}

impl Fact {
    pub(super) fn new(name: &'static str, value: impl Into<String>) -> Fact {
        Fact { name, value: value.into(), language: None }
    }
}

/// A picture; Markdown leaves it out, since every plot shows figures of a table.
pub(super) struct Plot {
    pub(super) svg: String,
    pub(super) caption: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    /// To the left and never broken, as odds are.
    Odds,
    Right,
}

pub(super) struct Column {
    pub(super) heading: String,
    pub(super) align: Align,
}

impl Column {
    pub(super) fn text(heading: impl Into<String>) -> Column {
        Column { heading: heading.into(), align: Align::Left }
    }

    pub(super) fn odds(heading: impl Into<String>) -> Column {
        Column { heading: heading.into(), align: Align::Odds }
    }

    pub(super) fn number(heading: impl Into<String>) -> Column {
        Column { heading: heading.into(), align: Align::Right }
    }
}

pub(super) struct Row {
    pub(super) cells: Vec<String>,
    /// The sum of the rows above.
    pub(super) total: bool,
}

impl Row {
    pub(super) fn new(cells: Vec<String>) -> Row {
        Row { cells, total: false }
    }

    pub(super) fn total(cells: Vec<String>) -> Row {
        Row { cells, total: true }
    }
}

/// Rows that belong together and stay on one page.
pub(super) struct Group {
    pub(super) title: Option<String>,
    pub(super) rows: Vec<Row>,
}

pub(super) struct Table {
    pub(super) caption: String,
    pub(super) columns: Vec<Column>,
    pub(super) groups: Vec<Group>,
}

impl Table {
    /// A table without groups.
    pub(super) fn plain(caption: impl Into<String>, columns: Vec<Column>, rows: Vec<Row>) -> Table {
        assert!(rows.iter().all(|row| row.cells.len() == columns.len()), "a row has a cell for each column");
        Table { caption: caption.into(), columns, groups: vec![Group { title: None, rows }] }
    }
}
