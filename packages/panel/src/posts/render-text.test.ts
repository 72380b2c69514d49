import { expect, it } from 'vitest';
import { renderText } from './render-text.ts';

it('renders Markdown', () => {
  expect(renderText('# Hello\n\n*there*')).toBe('<h1>Hello</h1>\n<p><em>there</em></p>\n');
});

it('a text that takes long to render is skipped, and later texts are still rendered', () => {
  const text = 'a__b_'.repeat(100_000);
  for (let turn = 0; turn < 2; turn += 1) expect(renderText(text)).toBeUndefined();
  expect(renderText('*after*')).toBe('<p><em>after</em></p>\n');
});

it('a text that is nested too deeply is not rendered', () => {
  expect(renderText('>'.repeat(100_000))).toBeUndefined();
});
