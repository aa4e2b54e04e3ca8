//! The PAR sheet in a real browser: it renders, prints, and asks nothing of the network.

use std::path::{Path, PathBuf};
use std::process::Command;

fn chromium() -> &'static str {
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    found.expect("a Chromium on PATH; `scripts/need chromium` installs one")
}

fn browse(profile: &Path, page: &Path, args: &[String]) -> (String, String) {
    let output = Command::new(chromium())
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
        ])
        .args(["--disable-component-update", "--disable-sync", "--disable-quic", "--enable-logging=stderr"])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=5000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(args)
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("Chromium runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

fn sheet(folder: &Path, game: &str, layout: &str) -> PathBuf {
    let path = folder.join(format!("{game}.html"));
    let status = Command::new(env!("CARGO_BIN_EXE_punto"))
        .args(["par", game, "--layout", layout, "--rounds", "300000", "--format", "html", "--output"])
        .arg(&path)
        .status()
        .expect("it runs");
    assert!(status.success());
    path
}

#[test]
fn a_par_sheet_renders_and_prints() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let profile = folder.path().join("profile");
    for (game, layout, bets) in [("ncb-etg", "terminal", 5), ("rws-baccarat", "A", 33)] {
        let page = sheet(folder.path(), game, layout);
        let (dom, log) = browse(&profile, &page, &["--dump-dom".to_string()]);
        assert!(!log.contains(":CONSOLE"), "the browser complains: {log}");
        assert!(dom.matches("<svg").count() >= 5, "{game}: plots");
        assert!(dom.matches("<table").count() >= 8, "{game}: tables");
        let rulebook = punto_rules::Rulebook::approved(game).expect("approved");
        let offered = &rulebook.layout(layout).expect("a layout").bets;
        assert_eq!(offered.len(), bets);
        for bet in offered {
            assert!(dom.contains(&bet.label.en), "{game}: {}", bet.label.en);
        }

        let pdf = folder.path().join(format!("{game}.pdf"));
        browse(&profile, &page, &[format!("--print-to-pdf={}", pdf.display())]);
        let printed = std::fs::read(&pdf).expect("a PDF");
        assert!(printed.starts_with(b"%PDF") && printed.len() > 50_000, "{game}: {} bytes", printed.len());

        let picture = folder.path().join(format!("{game}.png"));
        browse(
            &profile,
            &page,
            &[format!("--screenshot={}", picture.display()), "--window-size=1280,2000".to_string()],
        );
        // An empty page of this size compresses to a few kilobytes.
        assert!(std::fs::metadata(&picture).expect("a picture").len() > 60_000, "{game}: something is drawn");
    }
}
