import { expect, test } from 'vitest';
import { client, failureOf } from '../../test/support/client.ts';

const { posts } = client('https://blog.example');

test('headers, ids and bodies that cannot be sent are refused by name, without their values', async () => {
  expect(await failureOf(posts.get('\ud800'))).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('posts.get: an id or slug contains a lone surrogate: pass it as the API gave it.'),
  });
  expect(await failureOf(posts.get('..'))).toMatchObject({
    message: expect.stringContaining('which cannot stand in a path: pass it as the API gave it.'),
  });
  const error = await failureOf(posts.get('1', { headers: { 'x-site': 'a', 'x-note': 'se\ncret' } }));
  expect(error).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(
      'posts.get: one of the headers x-site, x-note cannot be sent: check its characters.',
    ),
  });
  expect(String(error)).not.toContain('cret');
});
