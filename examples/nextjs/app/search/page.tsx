import Form from 'next/form';
import { Suspense } from 'react';
import { DeliveredAd } from '../../lib/ads';
import { blog } from '../../lib/blog';
import { PostList } from '../../lib/post-list';

type Props = { searchParams: Promise<{ q?: string | string[] }> };

/** The heading is sent at once; the parts that depend on the request follow. */
export default function Search(props: Props) {
  return (
    <>
      <h1>Search</h1>
      <Suspense fallback={<p>Searching …</p>}>
        <Results {...props} />
      </Suspense>
    </>
  );
}

async function Results({ searchParams }: Props) {
  const { q } = await searchParams;
  const term = typeof q === 'string' ? q : '';
  const result = term ? await blog.search(term, { limit: 20 }).safe() : undefined;
  return (
    <>
      <Form action="/search">
        <input name="q" type="search" defaultValue={term} minLength={3} aria-label="Search" />
      </Form>
      <DeliveredAd name="search" format="INLINE" />
      {result?.ok && <PostList posts={result.data.items} />}
      {result?.error && (
        <p role="alert">{result.error.fields?.[0]?.message ?? 'Search is not available at the moment.'}</p>
      )}
    </>
  );
}
