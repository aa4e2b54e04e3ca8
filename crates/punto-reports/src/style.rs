//! How the page of a report looks, on a screen and on paper.

pub(crate) const STYLE: &str = r#":root {
  --ink: #1a1a1a; --soft: #555; --rule: #d4d6d8; --faint: #f4f5f6; --accent: #0b4f78; --alarm: #a33a00;
  --sans: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "Noto Sans", sans-serif;
}
* { box-sizing: border-box; }
html { font: 15px/1.5 var(--sans); color: var(--ink); background: #fff; font-variant-numeric: tabular-nums lining-nums; }
body { max-width: 1280px; margin: 0 auto; padding: 40px 28px 64px; }
header { border-top: 4px solid var(--accent); padding-top: 18px; }
.kind { margin: 0; letter-spacing: .08em; text-transform: uppercase; font-size: 12px; color: var(--soft); }
h1 { font-size: 30px; line-height: 1.2; margin: 4px 0; font-weight: 650; }
.subtitle { margin: 0; color: var(--soft); font-size: 16px; }
nav { margin: 26px 0 0; padding: 14px 22px; background: var(--faint); }
nav ol { margin: 0; padding-left: 1.6em; columns: 3; column-gap: 40px; }
a { color: var(--accent); text-underline-offset: 2px; }
section { margin-top: 48px; }
h2 { font-size: 20px; margin: 0 0 12px; padding-bottom: 6px; border-bottom: 1px solid var(--ink); font-weight: 650; }
p { max-width: 92ch; margin: 0 0 8px; }
.note { font-size: 13px; color: var(--soft); }
.none { color: var(--soft); }
.wide { overflow-x: auto; margin: 14px 0 18px; }
.wide:focus-visible { outline: 2px solid var(--accent); outline-offset: 4px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 1.35; }
th, td { padding: 5px 10px; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--rule); font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
thead th { font-weight: 600; border-bottom: 1.5px solid var(--ink); vertical-align: bottom; }
.figure { text-align: right; white-space: nowrap; }
thead .figure { white-space: normal; }
tr.total td { font-weight: 650; border-top: 1px solid var(--ink); }
tr.flagged td { background: #fdf1e9; }
tr.flagged td:last-child { color: var(--alarm); font-weight: 650; }
figure { margin: 18px 0 26px; }
svg { display: block; width: 100%; height: auto; font-family: var(--sans); font-variant-numeric: tabular-nums; }
figcaption { font-size: 13px; color: var(--soft); }
footer { margin-top: 56px; padding-top: 12px; border-top: 1px solid var(--rule); font-size: 12px; color: var(--soft); }
@media (max-width: 760px) { body { padding: 22px 14px 40px; } nav ol { columns: 1; } }
@media print {
  html { font-size: 9pt; }
  body { max-width: none; padding: 0; }
  nav, footer { display: none; }
  a { color: inherit; text-decoration: none; }
  section { margin-top: 18pt; }
  h2, thead { break-after: avoid; }
  thead { display: table-header-group; }
  tr, figure { break-inside: avoid; }
  .wide { overflow: visible; }
  table { font-size: 7pt; }
  th, td { padding: 2pt 3pt; }
}
@page { size: A4 landscape; margin: 14mm 12mm; }
"#;
