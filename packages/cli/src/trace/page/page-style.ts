/** The style of the page. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --back: #fbfbfa; --card: #fff; --text: #1d1f23; --dim: #5c626d; --line: #dfe1e6; --soft: #f1f2f4;
  --model: #3b6fd8; --tool: #197a4f; --round: #c9ced8; --wait: #8a6100; --bad: #c2352b; --mark: #ffe38a; --now: #f5a623;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #15171a; --card: #1c1f24; --text: #e6e8eb; --dim: #a0a7b3; --line: #323741; --soft: #24282f;
    --model: #7fa6f8; --tool: #55c594; --round: #454c59; --wait: #dcb25c; --bad: #f28b82; --mark: #6b5200; --now: #dcb25c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header.top { position: sticky; top: 0; z-index: 1; background: var(--back); border-bottom: 1px solid var(--line); }
header.top > div, main { max-width: 72rem; margin: 0 auto; padding: .75rem 1rem; }
h1 { font-size: 1.15rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
.dim { color: var(--dim); }
.facts { display: flex; flex-wrap: wrap; gap: .15rem .9rem; color: var(--dim); font-size: .9rem; }
.facts > :empty, .body:not(:has(*)) { display: none; }
.find { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: .5rem; }
.find input { flex: 1 1 12rem; min-width: 0; font: inherit; padding: .35rem .6rem; color: inherit; background: var(--card); border: 1px solid var(--dim); border-radius: .4rem; }
.find button { font: inherit; padding: .35rem .7rem; color: inherit; background: var(--soft); border: 1px solid var(--dim); border-radius: .4rem; cursor: pointer; }
.find output { min-width: 6.5rem; color: var(--dim); font-size: .9rem; }
.run { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; margin: 1rem 0; padding: .75rem 1rem; }
.run .run { margin: .5rem 0; background: none; }
.status { display: inline-block; padding: 0 .5rem; border-radius: 1rem; border: 1px solid currentColor; font-size: .8rem; font-weight: 600; white-space: nowrap; }
.done { color: var(--tool); } .failed, .refused { color: var(--bad); } .suspended, .limit, .open { color: var(--wait); }
.leg { margin-top: .6rem; }
.axis { display: flex; justify-content: space-between; color: var(--dim); font-size: .8rem; }
.row > summary, .axis { display: grid; grid-template-columns: minmax(9rem, 17rem) 1fr 5.5rem; gap: .75rem; align-items: center; }
.row > summary { padding: .2rem .25rem; border-radius: .3rem; cursor: pointer; list-style: none; }
.row > summary::-webkit-details-marker { display: none; }
.row > summary:hover { background: var(--soft); }
:focus-visible { outline: 2px solid var(--model); outline-offset: 1px; }
.label { overflow-wrap: anywhere; }
.label::before { content: "\\25b8"; display: inline-block; width: 1rem; color: var(--dim); }
.row[open] > summary .label::before { content: "\\25be"; }
.inner > summary .label { padding-left: 1rem; }
.time { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.axis .scale { display: flex; justify-content: space-between; }
.bar { display: block; width: 100%; height: .9rem; background: var(--soft); border-radius: .2rem; overflow: hidden; }
.swatch { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem; vertical-align: -.1rem; }
.bar rect { stroke-width: 1.5; }
:is(.bar, .swatch) .of-round { fill: var(--round); stroke: var(--round); }
:is(.bar, .swatch) .of-model { fill: var(--model); stroke: var(--model); }
:is(.bar, .swatch) .of-first { fill: var(--model); stroke: var(--model); opacity: .45; }
:is(.bar, .swatch) .of-call { fill: var(--tool); stroke: var(--tool); }
:is(.bar, .swatch) .of-wait { fill: var(--wait); stroke: var(--wait); opacity: .55; }
:is(.bar, .swatch) .bad { fill: var(--bad); stroke: var(--bad); }
.body { padding: .25rem .25rem .6rem 1.25rem; border-left: 2px solid var(--line); margin: .1rem 0 .4rem .5rem; }
.note { color: var(--dim); font-size: .9rem; overflow-wrap: anywhere; }
.note.bad, .bad-text { color: var(--bad); } .note.waits { color: var(--wait); }
.message { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; }
.message > .role { padding: .1rem .6rem; background: var(--soft); font-size: .8rem; font-weight: 600; border-radius: .4rem .4rem 0 0; overflow-wrap: anywhere; }
.block { padding: .25rem .6rem; }
.block > .what { font-size: .8rem; color: var(--dim); overflow-wrap: anywhere; }
pre { margin: .15rem 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; max-height: 28rem; overflow: auto; unicode-bidi: plaintext; }
.earlier > summary { cursor: pointer; color: var(--dim); font-size: .9rem; padding: .2rem 0; }
.quiet > summary, .quiet > summary .label { color: var(--dim); }
.quiet > summary .bar { opacity: .35; }
::highlight(found) { background: var(--mark); color: inherit; }
::highlight(current) { background: var(--now); color: #000; }
@media (max-width: 40rem) {
  header.top { position: static; }
  header.top > div, main { padding: .6rem .6rem; }
  .run { padding: .6rem; }
  .row > summary, .axis { grid-template-columns: 1fr auto; gap: .1rem .5rem; }
  .row > summary .bar, .axis .scale { grid-column: 1 / -1; grid-row: 2; }
  .axis > :first-child, .axis > :last-child { display: none; }
  .body { padding-left: .6rem; margin-left: .2rem; }
}
@media print { header.top { position: static; } .find { display: none; } pre { max-height: none; } }
`
