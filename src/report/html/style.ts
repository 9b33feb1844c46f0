/** The style sheet of the page: light and dark, narrow and wide, screen and paper. No attribute of an element has a style. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f7f7f5; --surface: #ffffff; --sunken: #f3f3f0; --line: #dfe1dc; --ink: #1c2024; --muted: #5a626b; --link: #1f55a5;
  --fail: #b1261f; --fail-soft: #fcefed; --pass: #1d6b41; --pass-soft: #ebf5ee; --doubt: #7d5400; --doubt-soft: #fbf3e0;
  --open: #5a626b; --open-soft: #efefec; --waived: #6a3f9c; --waived-soft: #f4effa;
  --bar-2xx: #6fae8a; --bar-3xx: #7ba3d6; --bar-4xx: #c9bfa6; --bar-5xx: #d4645b; --bar-none: #8a8f96;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #131619; --surface: #1a1e23; --sunken: #14181c; --line: #31373e; --ink: #e4e7ea; --muted: #a3acb6; --link: #8fb8f5;
    --fail: #ff948a; --fail-soft: #35201f; --pass: #7fd3a1; --pass-soft: #18291f; --doubt: #eec36d; --doubt-soft: #2d2617;
    --open: #a3acb6; --open-soft: #242a30; --waived: #cdb0f2; --waived-soft: #29213a;
    --bar-2xx: #4f8f6c; --bar-3xx: #5580b8; --bar-4xx: #6d6754; --bar-5xx: #c2554c; --bar-none: #767c84;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 3.5rem }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere }
.page { max-width: 68rem; margin: 0 auto; padding: 0 1.5rem 4rem }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; margin: 0 }
h1 { font-size: clamp(1.5rem, 1.15rem + 1.5vw, 2rem); font-weight: 650; letter-spacing: -0.015em; text-wrap: pretty }
h2 { font-size: 1.35rem; font-weight: 640; letter-spacing: -0.01em; margin: 3rem 0 1rem }
h3 { font-size: 1rem; font-weight: 640; margin: 1.5rem 0 .5rem }
p { margin: .35rem 0 }
ul, ol, dl, dd { margin: 0; padding: 0 }
ul, ol { list-style: none }
ul.plain { list-style: disc; padding-left: 1.2rem }
a { color: var(--link); text-underline-offset: .15em }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px }
code, kbd, pre, .rule, .operation, .fill { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .86em }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 .35em; background: var(--surface) }
.muted, .kind, .fractions { color: var(--muted) }
.rule { font-weight: 600 }
.operation { color: var(--muted) }
.method { font-size: .92em }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip { position: absolute; left: -999rem }
.skip:focus { left: 1rem; top: 1rem; background: var(--surface); padding: .5rem 1rem; z-index: 2 }
[hidden] { display: none !important }

.outcome { margin: 0 -1.5rem; padding: 2.5rem 1.5rem 1.5rem; border-top: 5px solid var(--open) }
.outcome.pass { border-color: var(--pass) } .outcome.fail { border-color: var(--fail) } .outcome.inconclusive { border-color: var(--doubt) }
.kind { margin: 0 0 .75rem; font-size: .9rem }
.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0 .75rem }
.figure { display: flex; flex-direction: column-reverse; justify-content: flex-end; min-width: 7rem; padding: .65rem 1rem .6rem; background: var(--surface); border: 1px solid var(--line); border-radius: 8px }
.figure dt { font-size: .85rem; color: var(--muted) }
.figure dd { font-size: 1.7rem; line-height: 1.15; font-weight: 620; font-variant-numeric: tabular-nums }
.figure.fail dd, .figure.error dd { color: var(--fail) } .figure.pass dd { color: var(--pass) }
.figure.inconclusive dd { color: var(--doubt) } .figure.waived dd { color: var(--waived) }
.figure.none dd { color: var(--muted); font-weight: 450 }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .3rem 2rem; margin-top: 1.25rem; font-size: .9rem }
.facts div { display: flex; gap: .75rem }
.facts dt { color: var(--muted); flex: 0 0 5rem; overflow-wrap: normal }

nav { position: sticky; top: 0; z-index: 1; margin: 0 -1.5rem; padding: 0 1.5rem; background: var(--page); border-bottom: 1px solid var(--line) }
nav ul { display: flex; gap: 1.4rem; overflow-x: auto; scrollbar-width: none }
nav a { display: block; padding: .7rem 0; color: var(--muted); text-decoration: none; font-size: .9rem; white-space: nowrap }
nav a:hover { color: var(--ink); text-decoration: underline }

.badge { display: inline-block; padding: .05rem .55rem; border-radius: 99px; font-size: .8rem; font-weight: 560; background: var(--open-soft); color: var(--open) }
.badges { display: flex; flex-wrap: wrap; gap: .4rem }
.badge.fail, .badge.error { background: var(--fail-soft); color: var(--fail) } .badge.pass { background: var(--pass-soft); color: var(--pass) }
.badge.inconclusive, .badge.advice { background: var(--doubt-soft); color: var(--doubt) } .badge.waived { background: var(--waived-soft); color: var(--waived) }
.sign { display: inline-block; width: 1.2em; font-weight: 700; color: var(--open) }
.sign.fail, .sign.error, .count.fail, .count.error { color: var(--fail) } .sign.pass { color: var(--pass) }
.sign.inconclusive, .sign.advice, .count.inconclusive, .count.advice { color: var(--doubt) } .sign.waived, .count.waived { color: var(--waived) }

.card, .callout { background: var(--surface); border: 1px solid var(--line); border-left: 4px solid var(--open); border-radius: 8px; padding: 1.1rem 1.35rem 1.2rem; margin: 0 0 1rem }
.card.fail, .card.error { border-left-color: var(--fail) } .card.waived { border-left-color: var(--waived) }
.card.advice, .callout { border-left-color: var(--doubt) }
.card h3 { margin: 0; font-size: 1.12rem }
.card h3 .rule { font-size: .95em }
.card .badges { margin: .6rem 0 .8rem }
.card > .operation { margin: .15rem 0 }
.demand { font-size: 1.05rem; font-weight: 560 }
.finding { margin: .9rem 0; border-left: 2px solid var(--line); padding-left: .9rem }
.finding div { display: flex; gap: .75rem; margin: .15rem 0 }
.finding dt { flex: 0 0 5.25rem; overflow-wrap: normal; color: var(--muted) }
.finding .actual dd { color: var(--fail) }
.code { margin: .9rem 0 }
.code .label { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin: 0 0 .25rem; font-size: .85rem; color: var(--muted) }
pre { margin: 0; padding: .7rem .9rem; max-height: 16rem; overflow: auto; background: var(--sunken); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; line-height: 1.5 }
pre code { font-size: .95em }
button { font: inherit; font-size: .8rem; color: var(--link); background: none; border: 1px solid var(--line); border-radius: 5px; padding: .1rem .6rem; cursor: pointer }
button:hover { background: var(--open-soft) }
.todo { margin-top: .9rem }
.waiver { color: var(--waived) }
.covers { margin-top: .5rem; padding-left: 1rem; border-left: 2px solid var(--line) }

.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .5rem }
.tile a { display: grid; grid-template-columns: 1.4rem 1fr; height: 100%; padding: .55rem .8rem; background: var(--surface); border: 1px solid var(--line); border-radius: 7px; color: var(--ink); text-decoration: none; align-content: start }
.tile a:hover { border-color: var(--link) }
.tile.fail a, .tile.error a { background: var(--fail-soft) } .tile.inconclusive a, .tile.advice a { background: var(--doubt-soft) } .tile.waived a { background: var(--waived-soft) }
.tile .name { font-size: .9rem }
.tile .method { color: var(--muted); font-size: .78rem }
.tile .counts { grid-column: 2; font-size: .8rem; color: var(--muted) }
.tile .count:not(:last-child)::after { content: ","; color: var(--muted) }
.group h3 code { font-weight: 400; margin-left: .4rem }

.rows > li { padding: .5rem 0; border-bottom: 1px solid var(--line) }
.rows > li:last-child { border-bottom: 0 }
.rows > li p { margin: .1rem 0 0 1.1rem; color: var(--muted) }
.openings > li p { margin-left: 0 }
.openings .proves { font-size: .9rem }
.change, .evidence { color: var(--muted); font-size: .9rem; margin-left: .5rem }
details > summary { cursor: pointer; padding: .45rem 0 }
.check { border-bottom: 1px solid var(--line) }
.check > :not(summary) { margin-left: 1.1rem }
.check[open] { padding-bottom: .75rem }
.check .demand { font-size: .95rem; font-weight: 450 }
.filter { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1.1rem; margin-bottom: 1rem }
.filter > label { font-weight: 600; margin-right: .6rem }
.filter input[type=search] { width: min(28rem, 100%); font: inherit; padding: .35rem .7rem; color: var(--ink); background: var(--page); border: 1px solid var(--muted); border-radius: 6px }
.choices { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin: .7rem 0 .4rem; font-size: .9rem }
.choice { white-space: nowrap }
.choice input { accent-color: var(--link); margin: 0 .2rem 0 0 }

.chart { display: block; width: 100%; height: 7rem; background: var(--surface); border: 1px solid var(--line); border-radius: 6px }
.bar.pass { fill: var(--bar-2xx) } .bar.fail { fill: var(--bar-5xx) } .bar.untested { fill: var(--open-soft) }
.bar.s1xx, .bar.s3xx { fill: var(--bar-3xx) } .bar.s2xx { fill: var(--bar-2xx) } .bar.s4xx { fill: var(--bar-4xx) } .bar.s5xx { fill: var(--bar-5xx) } .bar.snone { fill: var(--bar-none) }
.axis { display: flex; justify-content: space-between; gap: 1rem; font-size: .85rem; color: var(--muted) }
.legend { font-size: .85rem; color: var(--muted) }
.key { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin: 0 .15em 0 .6em; vertical-align: -.05em }
.key:first-child { margin-left: 0 }
.key.pass, .key.s2xx { background: var(--bar-2xx) } .key.fail, .key.s5xx { background: var(--bar-5xx) } .key.untested { background: var(--open-soft); border: 1px solid var(--line) }
.key.s1xx, .key.s3xx { background: var(--bar-3xx) } .key.s4xx { background: var(--bar-4xx) } .key.snone { background: var(--bar-none) }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--surface) }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .35rem .8rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: normal }
tbody tr:last-child > * { border-bottom: 0 }
thead th { color: var(--muted); font-weight: 500 }
tbody th { font-weight: 500; white-space: nowrap }
td { white-space: nowrap }
td.address { overflow-wrap: anywhere; white-space: normal; min-width: 11rem }
.check a { font-size: .9rem; margin-left: .5rem }

@media (max-width: 40rem) {
  .page { padding: 0 1rem 3rem }
  .outcome, nav { margin: 0 -1rem; padding-left: 1rem; padding-right: 1rem }
  .outcome { padding-top: 1.5rem }
  .figures { display: grid; grid-template-columns: repeat(3, 1fr); gap: .5rem }
  .figure { min-width: 0; padding: .5rem .7rem }
  .figure dt { font-size: .78rem; line-height: 1.25; overflow-wrap: normal }
  .figure dd { font-size: 1.35rem }
  .card { padding: .9rem 1rem 1rem }
  .finding div { display: block }
  .finding dd { margin-bottom: .3rem }
  .facts { grid-template-columns: 1fr }
  .tiles { grid-template-columns: 1fr; gap: .35rem }
  .axis span:nth-child(2) { text-align: center }
  th, td { padding: .3rem .55rem }
}
@media print {
  :root { color-scheme: light }
  body { background: #fff; font-size: 10pt }
  .bar, .key, .badge, .tile a { print-color-adjust: exact }
  .outcome { margin: 0; padding-left: 0; padding-right: 0 }
  .page { max-width: none; padding: 0 }
  nav, .filter, button, .skip { display: none !important }
  .card, .tile, .rows > li { break-inside: avoid }
  h2, h3 { break-after: avoid }
  pre { max-height: none }
  a { color: inherit; text-decoration: none }
}
`;
