//! How the page looks, on a screen and on A4.

pub(super) const STYLE: &str = r#":root {
  --ink: #1a1a1a; --soft: #555; --rule: #c9c9c9; --faint: #f4f5f6; --accent: #0b4f78;
  --sans: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "Noto Sans", "PingFang SC", "Microsoft YaHei",
    "Noto Sans CJK SC", sans-serif;
  --mono: ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace;
}
* { box-sizing: border-box; }
html { font: 16px/1.5 var(--sans); color: var(--ink); background: #fff; font-variant-numeric: tabular-nums lining-nums; }
body { max-width: 1120px; margin: 0 auto; padding: 48px 32px 64px; }
header { border-top: 4px solid var(--accent); padding-top: 20px; }
.kind { margin: 0; letter-spacing: .08em; text-transform: uppercase; font-size: 13px; color: var(--soft); }
h1 { font-size: 32px; line-height: 1.2; margin: 6px 0 4px; font-weight: 650; }
.subtitle { font-size: 18px; margin: 0; color: var(--soft); }
nav { margin: 32px 0 8px; padding: 16px 24px; background: var(--faint); }
nav h2 { font-size: 13px; letter-spacing: .08em; text-transform: uppercase; margin: 0 0 8px; border: 0; padding: 0; color: var(--soft); }
nav ol { margin: 0; padding-left: 1.6em; columns: 2; column-gap: 48px; }
a { color: var(--accent); text-underline-offset: 2px; }
section { margin-top: 56px; }
h2 { font-size: 22px; line-height: 1.3; margin: 0 0 16px; padding-bottom: 6px; border-bottom: 1px solid var(--ink); font-weight: 650; }
.number { display: inline-block; min-width: 1.1em; margin-right: .35em; color: var(--accent); }
p, ul { max-width: 92ch; margin: 0 0 14px; }
ul { padding-left: 1.3em; }
li { margin-bottom: 5px; }
code { font: .92em var(--mono); overflow-wrap: anywhere; }
pre { background: var(--faint); border-left: 3px solid var(--accent); padding: 14px 18px; overflow-x: auto; font-size: 14px; }
dl { margin: -8px 0 0; }
dl div { display: grid; grid-template-columns: 16em 1fr; gap: 16px; padding: 7px 0; border-bottom: 1px solid var(--rule); }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; margin: 20px 0 28px; }
.wide:focus-visible { outline: 2px solid var(--accent); outline-offset: 4px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; line-height: 1.35; }
caption { text-align: left; font-weight: 600; padding-bottom: 8px; }
th, td { padding: 5px 10px; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--rule); font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-weight: 600; border-bottom: 1.5px solid var(--ink); vertical-align: bottom; }
tbody th { font-weight: 500; }
.figure { text-align: right; }
.figure, .odds { white-space: nowrap; }
thead .figure { white-space: normal; }
.group th[colspan] { font-weight: 650; padding-top: 18px; border-bottom: 1px solid var(--ink); }
.total th, .total td { font-weight: 650; border-bottom: 0; border-top: 1px solid var(--ink); }
.columns-15 { font-size: 12.5px; }
.columns-15 :is(th, td):not(:first-child) { padding-left: 5px; }
.columns-15 :is(th, td):not(:last-child) { padding-right: 5px; }
tbody th { white-space: nowrap; }
.group th { white-space: normal; }
figure { margin: 24px 0 32px; }
svg { display: block; width: 100%; height: auto; font-family: var(--sans); font-variant-numeric: tabular-nums; }
figcaption { margin-top: 8px; font-size: 14px; color: var(--soft); }
footer { margin-top: 64px; padding-top: 12px; border-top: 1px solid var(--rule); font-size: 13px; color: var(--soft); }
@media (max-width: 700px) {
  body { padding: 24px 16px 40px; }
  nav ol { columns: 1; }
  dl div { grid-template-columns: 1fr; gap: 0; }
}
@media print {
  html { font-size: 9.5pt; line-height: 1.4; }
  body { max-width: none; padding: 0; }
  h1 { font-size: 18pt; }
  h2 { font-size: 14pt; }
  .subtitle { font-size: 12pt; }
  .kind, nav h2 { font-size: 8.5pt; }
  nav { background: none; border: 1px solid var(--rule); }
  a { color: inherit; text-decoration: none; }
  footer { display: none; }
  section { break-before: page; margin-top: 0; }
  section:first-child { break-before: auto; margin-top: 20pt; }
  h2, caption, thead { break-after: avoid; }
  .wide { overflow: visible; margin: 10pt 0 14pt; }
  table { font-size: 8pt; }
  th, td { padding: 2.2pt 4pt; }
  thead { display: table-header-group; }
  tr, figure, dl div, .group, .wide:not(:has(.group)) { break-inside: avoid; }
  .columns-15 { font-size: 6.6pt; }
  .columns-15 :is(th, td):not(:first-child) { padding-left: 1.5pt; }
  .columns-15 :is(th, td):not(:last-child) { padding-right: 1.5pt; }
  .group th[colspan] { padding-top: 8pt; }
  pre { font-size: 8pt; background: none; border: 1px solid var(--rule); white-space: pre-wrap; overflow-wrap: anywhere; }
  figure { margin: 10pt 0 14pt; }
  figcaption { font-size: 8pt; }
}
@page {
  size: A4; margin: 20mm 16mm 18mm;
  @top-left { font: 7.5pt sans-serif; color: #555; }
  @top-right { font: 7.5pt sans-serif; color: #555; }
  @bottom-left { font: 7.5pt sans-serif; color: #555; }
  @bottom-right { font: 7.5pt sans-serif; color: #555; content: "Page " counter(page) " of " counter(pages); }
}
"#;
