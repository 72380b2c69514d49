import { blogWith, countEntries, openStagedStore } from './staged-store.ts';

const [path = '', word = '', count = '', id = ''] = process.argv.slice(2);
const entries = countEntries(path) + Number(count);

// Ends after the texts were indexed, and before any post is written.
const store = await openStagedStore(path, () => {
  if (countEntries(path) >= entries) process.exit();
});
await store.importBlogs([blogWith(word, Number(count), id)], 0);
throw new Error('The import was not killed.');
