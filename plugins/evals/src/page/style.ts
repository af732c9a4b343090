/** The style of the page, for light and dark, wide and narrow screens, and for paper. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --dim: #5d6772; --line: #d5dae0; --back: #ffffff;
  --good: #1a7a35; --bad: #c02525; --plain: #2f6fb2; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ec; --dim: #9aa4af; --line: #39414a; --back: #14181c;
  --good: #4cc26a; --bad: #ff7066; --plain: #6cb0f5; } }
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif;
  color: var(--text); background: var(--back); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
p, figcaption, small { color: var(--dim); } p, .names, summary, pre { overflow-wrap: anywhere; }
figure { margin: 1.4rem 0; } figcaption { margin-bottom: .4rem; }
.names small { display: block; font-size: .85em; line-height: 1.3; }
.row { display: grid; grid-template-columns: 18rem 1fr 9.5rem; column-gap: 1.2rem; align-items: center;
  padding: .15rem 0; }
.row svg { display: block; overflow: visible; } .grid { stroke: var(--line); } .bar { stroke-width: 3; }
.row .number { font-variant-numeric: tabular-nums; }
.axis { color: var(--dim); font-size: .85em; }
.ends { display: flex; justify-content: space-between; margin: 0 -2rem; }
.ends span { width: 4rem; text-align: center; white-space: nowrap; }
.good .bar { stroke: var(--good); } .good circle { fill: var(--good); }
.bad .bar { stroke: var(--bad); } .bad circle { fill: var(--bad); }
.plain .bar { stroke: var(--plain); } .plain circle { fill: var(--plain); }
.scroll { overflow-x: auto; }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: right; white-space: nowrap; vertical-align: top;
  border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 600; }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 12rem; padding-left: 0; }
td.good { color: var(--good); } td.bad { color: var(--bad); }
details { border-bottom: 1px solid var(--line); padding: .4rem 0; }
pre { white-space: pre-wrap; color: var(--dim); }
@media (max-width: 45rem) {
  body { padding: 0 1.3rem; }
  .row { grid-template-columns: 1fr 5.5rem; padding: .3rem 0; } .row .names { grid-column: 1 / -1; }
  .axis > span:first-child { display: none; }
  .row svg { margin-left: .4rem; width: calc(100% - .4rem); } .ends { margin: 0 -2rem 0 -1.6rem; }
  th, td { padding: .3rem .45rem; }
  th:first-child, td:first-child { position: sticky; left: 0; min-width: 9rem; max-width: 11rem;
    background: var(--back); }
}
@media print { body { margin: 0; max-width: none; } .row, tr { break-inside: avoid; } }
`;
