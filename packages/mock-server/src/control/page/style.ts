/** How the page looks: light or dark as the reader has it, down to a phone. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d9d5cc, #3a3d42); --soft: light-dark(#5d5a52, #a9adb5);
  --paper: light-dark(#fbfaf7, #17191c); --card: light-dark(#fff, #1f2226); --ink: light-dark(#1d1c1a, #eceef1);
  --accent: light-dark(#0a4f8f, #8cc4ff); --bad: light-dark(#a1260d, #ff9d87); --good: light-dark(#14622c, #83d99a); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header { padding: 1rem clamp(1rem, 4vw, 2.5rem); border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap;
  gap: .25rem 1.5rem; align-items: baseline; }
h1 { font: 600 1.3rem/1.2 Georgia, serif; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 .6rem; }
p { margin: .25rem 0; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.layout { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 1.25rem; align-items: start;
  padding: 1.25rem clamp(1rem, 4vw, 2.5rem); max-width: 90rem; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1.25rem; }
section, nav { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; min-width: 0; }
.wide { grid-column: 1 / -1; }
nav ul { list-style: none; margin: 0 0 .8rem; padding: 0; display: grid; gap: .15rem; }
nav a { display: flex; justify-content: space-between; gap: .5rem; padding: .35rem .5rem; border-radius: .35rem;
  color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { background: var(--paper); }
nav a[aria-current] { background: var(--accent); color: var(--card); }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin-top: .6rem; }
td form, .row form { margin: 0; }
.row { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .6rem; }
label { display: grid; gap: .15rem; font-size: .8rem; color: var(--soft); }
input, select, button { font: inherit; color: inherit; padding: .35rem .5rem; border-radius: .35rem;
  border: 1px solid light-dark(#8a857a, #6d737c); background: var(--card); max-width: 100%; }
input[type=number] { width: 5.5rem; } input[name=by] { width: 6rem; }
button { cursor: pointer; background: var(--accent); border-color: var(--accent); color: var(--card); }
button.plain { background: none; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-top: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); border-top: 0; }
td.end { padding-right: 0; } td.end form { justify-content: end; }
.scroll + h2 { margin-top: 1.2rem; } ul.bad { padding-left: 1.2rem; margin: 0; }
a { color: var(--accent); } nav a { white-space: nowrap; } nav a :first-child { white-space: normal; }
.scroll { overflow: auto; max-height: 26rem; }
.bad { color: var(--bad); } .good { color: var(--good); }
time.now { font: 600 1.15rem ui-monospace, monospace; }
[role=status] { padding: .5rem clamp(1rem, 4vw, 2.5rem); margin: 0; color: var(--good); }
[role=status]:empty { padding-block: 0; }
[role=status].refused { color: var(--bad); }
.gone header::after { content: 'The mock does not answer.'; color: var(--bad); }
@media (max-width: 50rem) { .layout { grid-template-columns: minmax(0, 1fr); } }
`;
