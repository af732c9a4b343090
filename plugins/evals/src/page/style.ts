/** The style of the page, for light and dark screens. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --dim: #5d6772; --line: #d5dae0; --back: #ffffff;
  --good: #1a7a35; --bad: #c02525; --plain: #2f6fb2; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ec; --dim: #9aa4af; --line: #39414a; --back: #14181c;
  --good: #4cc26a; --bad: #ff7066; --plain: #6cb0f5; } }
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif;
  color: var(--text); background: var(--back); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
p, figcaption, caption { color: var(--dim); overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--dim); font-weight: 600; }
th:first-child, td:first-child, td.text { text-align: left; overflow-wrap: anywhere; min-width: 9rem; }
td.good { color: var(--good); } td.bad { color: var(--bad); }
figure { margin: 1.2rem 0; } svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--text); } .grid { stroke: var(--line); } .bar { stroke-width: 3; }
.good .bar { stroke: var(--good); } .good circle { fill: var(--good); }
.bad .bar { stroke: var(--bad); } .bad circle { fill: var(--bad); }
.plain .bar { stroke: var(--plain); } .plain circle { fill: var(--plain); }
details { border-bottom: 1px solid var(--line); padding: .4rem 0; } summary { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; color: var(--dim); }
`;
