import { NotFoundError } from '@broadsheet/sdk';
import { html } from 'hono/html';
import type { Page } from '../layout.ts';

/** The page for content that does not exist, or that could not be loaded. */
export function notice(error: unknown): Page {
  if (error instanceof NotFoundError) {
    const words = 'There is no such page here. It may have been a draft, or the printer may have dropped it.';
    return page({ status: 404, title: 'Not found', heading: 'Not in this edition', words });
  }
  const words = error instanceof Error ? error.message : String(error);
  return page({ status: 500, title: 'Something went wrong', heading: 'The press has stopped', words });
}

function page({
  status,
  title,
  heading,
  words,
}: {
  status: number;
  title: string;
  heading: string;
  words: string;
}): Page {
  const action =
    status === 404
      ? html`<a class="button" href="/">Back to the front page</a>`
      : html`<a class="button" href="">Try again</a>`;
  const body = html`<section class="notice">
<p class="ornament" aria-hidden="true">❦</p>
<h1>${heading}</h1>
<p>${words}</p>
${action}
</section>`;
  return { status, title, body };
}
