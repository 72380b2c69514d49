import type { Call } from '../../journal/journal.ts';
import type { InnerWorld } from '../../worlds/world.ts';
import { html, type Markup } from './markup.ts';

/** How many calls are shown, the newest first. */
const SHOWN = 100;

/** What was asked of a world, and what of it the contract does not know. */
export function journalSection({ journal, offContract }: InnerWorld, action: string): Markup {
  const rows = journal.slice(-SHOWN).reverse().map(row);
  const table = html`<table aria-label="Journal"><thead><tr><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Fault</th></tr></thead><tbody>${rows}</tbody></table>`;
  const wrong = offContract.map(
    ({ method, url, problems }) => html`<li><code>${method} ${url}</code><br>${problems.join('; ')}</li>`,
  );
  return html`<section class="wide"><h2>Journal</h2><div id="journal" class="scroll" data-live tabindex="0" role="region" aria-label="Journal">
${rows.length > 0 ? table : html`<p class="soft">Nothing was asked yet.</p>`}</div>
<h2>Off the contract</h2><div id="wrong" data-live tabindex="-1">${wrong.length > 0 ? html`<ul class="bad">${wrong}</ul>` : html`<p class="soft">Every request was one that the API takes.</p>`}</div>
<form method="post" action="${action}" data-done="They are forgotten."><input type="hidden" name="command" value="forgive"><button class="plain">Forgive</button></form></section>`;
}

function row({ at, method, url, status, code, fault, endpoint }: Call): Markup {
  const { pathname, search } = new URL(url);
  const result = status === undefined ? html`<span class="soft">waits</span>` : html`${status || 'broken'} ${code}`;
  const mark = status === undefined ? '' : status > 0 && status < 400 ? 'good' : 'bad';
  return html`<tr><td>${new Date(at).toISOString().slice(11, 23)}</td><td>${endpoint}<br><code>${method} ${pathname}${search}</code></td><td class="${mark}">${result}</td><td>${fault}</td></tr>`;
}
