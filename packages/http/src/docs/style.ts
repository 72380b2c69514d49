/** The one style sheet of the pages, inside of each; their policy allows it by its hash and nothing else. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#ddd8cc, #3a3833); --soft: light-dark(#f6f3ec, #211f1c);
  --ink: light-dark(#24211c, #e9e5dc); --dim: light-dark(#6b655a, #a59e91); --accent: light-dark(#9c3322, #f08a72); }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: light-dark(#fffdf9, #181714) }
header, main { max-width: 56rem; margin: 0 auto; padding: 1rem 1.25rem }
header { display: flex; gap: 1.25rem; align-items: baseline; border-bottom: 1px solid var(--line); flex-wrap: wrap }
header strong { font: 600 1.25rem/1 Georgia, serif }
a { color: var(--accent) } a:focus-visible { outline: 2px solid; outline-offset: 2px }
h1 { font: 600 2rem/1.2 Georgia, serif; margin: 1.5rem 0 .5rem; overflow-wrap: anywhere }
h2 { font: 600 1.35rem/1.3 Georgia, serif; margin: 2.5rem 0 .5rem; scroll-margin-top: 1rem }
h3 { font-size: .85rem; margin: 1.25rem 0 .25rem; color: var(--dim); text-transform: uppercase; letter-spacing: .05em }
section { border-top: 1px solid var(--line); margin-top: 2rem }
code, pre { font: .875em/1.5 ui-monospace, monospace } pre { background: var(--soft); padding: .75rem 1rem; overflow: auto;
  border-radius: .4rem; margin: .5rem 0 } .dim { color: var(--dim) } .path { overflow-wrap: anywhere }
.method { display: inline-block; min-width: 3.5em; color: var(--accent); font-weight: 700 }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .925rem }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
summary { cursor: pointer; color: var(--dim) } ul.plain { list-style: none; padding: 0 }
ul.cards { list-style: none; padding: 0; margin: 1.5rem 0; display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)) }
.cards li { background: var(--soft); border-radius: .4rem; padding: .9rem 1rem; font-size: .925rem; color: var(--dim) }
pre code { font-size: 1em } .guide table { display: block; overflow-x: auto } .guide th { white-space: nowrap } .guide li { margin: .25rem 0 }
`;
