import { NotFoundError } from '@broadsheet/sdk';
import { html } from 'hono/html';
import type { SitePage } from '../layout.ts';
import type { Html } from '../story.ts';

/** The page for content that does not exist, or that could not be loaded. */
export function notice(error: unknown): SitePage {
  if (error instanceof NotFoundError) {
    const text = 'There is no such page here. It may have been a draft, or the printer may have dropped it.';
    const link = html`<a class="button" href="/">Back to the front page</a>`;
    return { status: 404, title: 'Not found', body: message('Not in this edition', text, link) };
  }
  const text = error instanceof Error ? error.message : String(error);
  const link = html`<a class="button" href="">Try again</a>`;
  return { status: 500, title: 'Something went wrong', body: message('The press has stopped', text, link) };
}

const message = (heading: string, text: string, link: Html): Html => html`<section class="notice">
<p class="ornament" aria-hidden="true">❦</p>
<h1>${heading}</h1>
<p>${text}</p>
${link}
</section>`;
