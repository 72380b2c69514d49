import type { InnerMock } from '../../worlds/mock.ts';
import type { InnerWorld } from '../../worlds/world.ts';
import { journalSection } from './journal-section.ts';
import { html, type Markup } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { clockSection, faultSection, gateSection, lensSection } from './world-sections.ts';

/** What the page is about. */
export interface PageOptions {
  readonly mock: InnerMock;
  readonly baseUrl: string;
  readonly world: InnerWorld;
  /** What could not be done. */
  readonly complaint: string | undefined;
}

/** The page of a mock: its worlds, and all that is set in one of them. */
export function mockPage({ mock, baseUrl, world, complaint }: PageOptions): string {
  const action = `/__mock/page?world=${encodeURIComponent(world.apiKey)}`;
  // The style and the script are named by their hashes, so they stand there as they are.
  const [style, script] = [`<style>${STYLE}</style>`, `<script type="module">${SCRIPT}</script>`];
  const body = html`<title>${world.name} · Broadsheet mock</title>
<body>
<header><h1>Broadsheet mock</h1><p class="soft">answers at <code>${baseUrl}</code> · <a href="/openapi.json">OpenAPI</a></p></header>
<p role="status" class="${complaint === undefined ? '' : 'refused'}">${complaint}</p>
<div class="layout">
${worldList(mock, world, action)}
<main>
<section><h2>World ${world.name}</h2><div id="world" data-live tabindex="-1">${about(world)}</div>
<div class="row">${button(action, 'reset', 'Reset', 'The world is as it was at its beginning.')}${world === mock.main ? undefined : html`<form method="post" action="${action}" data-loads><input type="hidden" name="command" value="drop"><button class="plain">Drop</button></form>`}</div></section>
${clockSection(world, action)}${faultSection(world, action)}${gateSection(world, action)}${lensSection(world, action)}${journalSection(world, action)}
</main></div>`;
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `${style}${body.text}${script}</body></html>`
  );
}

/** A form that is one button. */
const button = (action: string, command: string, words: string, done: string): Markup =>
  html`<form method="post" action="${action}" data-done="${done}"><input type="hidden" name="command" value="${command}"><button class="plain">${words}</button></form>`;

function worldList({ worlds }: InnerMock, shown: InnerWorld, action: string): Markup {
  const links = [...new Set(worlds.values())].map(
    (world) =>
      html`<li><a id="to-${world.apiKey}" href="/__mock?world=${encodeURIComponent(world.apiKey)}" ${world === shown ? html`aria-current="page"` : undefined}><span>${world.name}</span><span>${world.journal.length} calls</span></a></li>`,
  );
  return html`<nav aria-label="Worlds"><h2>Worlds</h2><ul id="worlds" data-live tabindex="-1">${links}</ul>
<form method="post" action="${action}" data-loads><input type="hidden" name="command" value="world"><label>Name <input name="name" autocomplete="off" placeholder="made up"></label><button>New world</button></form></nav>`;
}

function about(world: InnerWorld): Markup {
  const left = world.unfinished();
  return html`<p>API key <code>${world.apiKey}</code>, blog “${world.blog.name}”</p>
<p class="soft">${left.length === 0 ? 'Nothing waits, and every fault met a request.' : left.join(' · ')}</p>`;
}
