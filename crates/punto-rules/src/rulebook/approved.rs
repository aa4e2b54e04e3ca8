//! The rule books that come with Punto: what `rulebooks/` holds, compiled into the program.

/// File name and text of each approved rule book, in the order in which games are listed.
pub const APPROVED: [(&str, &str); 4] = [
    ("wu-song-v3.toml", include_str!("../../../../rulebooks/wu-song-v3.toml")),
    ("ncb-etg-v5.toml", include_str!("../../../../rulebooks/ncb-etg-v5.toml")),
    ("rws-baccarat-v2.toml", include_str!("../../../../rulebooks/rws-baccarat-v2.toml")),
    ("da-hu-ying-xiong-2019.toml", include_str!("../../../../rulebooks/da-hu-ying-xiong-2019.toml")),
];
