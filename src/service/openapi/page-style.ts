import { css } from '../../web/css.ts';

/** The style of the page at /openapi; its hash is in the page's content security policy. */
export const pageStyle = css`
:root { color-scheme: light dark; --text: #1d2733; --soft: #5b6875; --line: #d9dfe5; --ground: #fff; --raised: #f5f7f9; --link: #0b5cad;
  --get: #1a6e3c; --post: #0b5cad; --put: #8a5a00; --patch: #8a5a00; --delete: #a32020; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e8ed; --soft: #9aa7b4; --line: #35404b; --ground: #14191f; --raised: #1c232b; --link: #7db8f2;
  --get: #6fcf97; --post: #7db8f2; --put: #e0b050; --patch: #e0b050; --delete: #f08b8b; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0; color: var(--text); background: var(--ground); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code, .path { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: .88em; overflow-wrap: anywhere; }
.layout { max-width: 78rem; margin: 0 auto; padding: 0 1.25rem 4rem; display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 3rem; }
header { grid-column: 2; padding-top: 2rem; }
nav { grid-column: 1; grid-row: 1 / span 2; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 0; font-size: .9rem; }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .75rem; letter-spacing: .08em; text-transform: uppercase; color: var(--soft); border: 0; padding: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: .1rem 0; }
main { grid-column: 2; min-width: 0; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.4rem; margin: 3rem 0 .5rem; padding-top: .5rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0; }
h4 { font-size: .8rem; margin: 1.25rem 0 .25rem; letter-spacing: .05em; text-transform: uppercase; color: var(--soft); }
p { margin: .5rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
.card { border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); padding: 1rem 1.25rem; margin: 1rem 0; scroll-margin-top: 1rem; }
.card:target { border-color: var(--link); }
.line { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
.method { font: 700 .78rem/1 ui-monospace, 'DejaVu Sans Mono', monospace; letter-spacing: .04em; text-transform: uppercase; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); }
th { font-size: .75rem; font-weight: 600; color: var(--soft); border-top: 0; }
td:first-child { width: 30%; }
.must { color: var(--delete); font-size: .75rem; white-space: nowrap; }
@media (max-width: 60rem) {
  .layout { display: block; }
  nav { position: static; max-height: none; padding: 1rem 0 0; columns: 2; column-gap: 1.5rem; }
  nav div { break-inside: avoid; }
  header { padding-top: 1.25rem; }
}
@media (max-width: 36rem) {
  body { font-size: 15px; }
  .layout { padding: 0 .9rem 3rem; }
  nav { columns: 1; }
  thead { display: none; }
  tr, td { display: block; width: auto; }
  tr { border-top: 1px solid var(--line); padding: .5rem 0; }
  td, td:first-child { border: 0; padding: .05rem 0; width: auto; }
  .card { padding: .75rem .9rem; }
}
@media print { nav { display: none; } .layout { display: block; } .card { break-inside: avoid; } }
`;
