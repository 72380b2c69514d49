import { NotFoundError } from '@broadsheet/sdk';
import { el } from './element.ts';
import type { View } from './view.ts';

/** The page for an address that leads nowhere. */
export function notFoundView(): View {
  const node = notice(
    'Not in this edition',
    'The page you asked for is not here. It may have been a draft, or the printer may have dropped it.',
    el('a', { href: '/', class: 'button' }, 'Back to the front page'),
  );
  return { title: 'Not found', node };
}

/** The page for what could not be loaded, with a way to try again. */
export function failureView(error: unknown, retry: () => void): View {
  if (error instanceof NotFoundError) return notFoundView();
  const again = el('button', { type: 'button', class: 'button' }, 'Try again');
  again.addEventListener('click', retry);
  return { title: 'Something went wrong', node: notice('The press has stopped', reasonOf(error), again) };
}

/** What to tell the reader of an error. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function notice(heading: string, words: string, action: HTMLElement): HTMLElement {
  const title = el('h1', { tabindex: -1 }, heading);
  return el(
    'section',
    { class: 'notice', role: 'status' },
    el('p', { class: 'ornament' }, '❦'),
    title,
    el('p', {}, words),
    action,
  );
}
