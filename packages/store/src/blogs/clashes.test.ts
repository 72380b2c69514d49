import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { openStore } from '../open-store.ts';
import { ContentClash } from './clashes.ts';

const post = (id: string, slug = id) => ({ id, slug, title: `Title ${id}` });
const part = (...posts: object[]) => ({ id: 'b', name: 'B', posts: posts as ReturnType<typeof post>[] });

describeDatabases('an import in parts', (database) => {
  test('is refused when posts of two parts have the same slug, unless a later part changes one of them', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    const twins = store.importBlogs([part(post('one', 's')), part(post('two', 's'))], 0);
    await expect(twins).rejects.toThrow('the posts one and two have the same slug "s"');
    await expect(twins).rejects.toThrow(ContentClash);
    expect(await store.listBlogs()).toEqual([]);
    await store.importBlogs([part(post('one', 's'), post('two', 't'))], 0);
    await store.importBlogs([part(post('one', 't')), part(post('two', 's'))], 0, { allowMovedUrls: true });
    expect((await store.exportBlog('b'))?.posts).toMatchObject([post('two', 's'), post('one', 't')]);
  });
});
