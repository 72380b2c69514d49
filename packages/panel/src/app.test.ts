import { createBlog, type ServerStore } from '@broadsheet/management';
import { expect, it } from 'vitest';
import { createApp } from './app.ts';

it('has no page where that of a blog could be', async () => {
  const store = {} as ServerStore;
  const first = createApp({ store }).routes.map(({ path }) => path.split('/')[2] ?? '*');
  const own = new Set(first.filter((name) => !/^[:*]/.test(name)));
  expect(own).toContain('people');
  for (const id of own) await expect(createBlog(store, { id }, 0)).rejects.toThrow('is an address of the panel itself');
});
