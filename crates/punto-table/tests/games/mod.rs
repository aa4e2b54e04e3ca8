//! A test of its own in each game, named `what_holds::the_game`: a failure names every game that it touches.

/// In these games.
macro_rules! in_games {
    ($holds:ident: $($game:ident),*) => {
        mod $holds {
            $(
                #[test]
                fn $game() {
                    super::$holds(&stringify!($game).replace('_', "-"));
                }
            )*
        }
    };
}

/// In every game.
macro_rules! every_game {
    ($($holds:ident),*) => {
        $(in_games!($holds: wu_song, rws_baccarat, da_hu_ying_xiong, ncb_etg);)*
    };
}
