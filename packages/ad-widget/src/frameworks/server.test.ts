import { expect, test } from 'vitest';
import { deliveredMarkup } from './server.ts';

test('an ad cannot leave the script element it is written into', () => {
  const title = '</script><script>alert(1)</script><!--';
  const html = deliveredMarkup([
    { slotId: 'top', format: 'BANNER', filled: true, id: '1', clickToken: 'token', title },
  ]);
  expect(html.match(/</g)).toHaveLength(2);
  const json = html.slice(html.indexOf('>') + 1, html.lastIndexOf('<'));
  expect(JSON.parse(json)).toMatchObject({ results: [{ title }] });
});
