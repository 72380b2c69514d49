import Form from 'next/form';
import { blog } from '../../lib/blog';
import { PostList } from '../../lib/post-list';

export default async function Search({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const { q } = await searchParams;
  const term = typeof q === 'string' ? q : '';
  const result = term ? await blog.search(term, { limit: 20 }).safe() : undefined;
  return (
    <>
      <h1>Search</h1>
      <Form action="/search">
        <input name="q" type="search" defaultValue={term} minLength={3} aria-label="What to search for" />
      </Form>
      {result?.ok && <PostList posts={result.data.items} />}
      {result?.error && <p role="alert">{result.error.fields?.[0]?.message ?? 'The search does not work just now.'}</p>}
    </>
  );
}
