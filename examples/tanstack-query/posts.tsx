import type { Blog } from '@broadsheet/sdk';
import { blogQueries } from '@broadsheet/sdk/query';
import {
  type DehydratedState,
  dehydrate,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
} from '@tanstack/react-query';
import type { ReactElement } from 'react';

const LIMIT = 3;

/** On the server: prefetches the first posts. Embed the result in the page as JSON. */
export async function prefetchPosts(blog: Blog): Promise<DehydratedState> {
  const client = new QueryClient();
  await client.prefetchInfiniteQuery(blogQueries(blog).posts.infinite({ limit: LIMIT }));
  return dehydrate(client);
}

/** In the browser: the posts, and a button for more. `blog` is a client of your own route, or of the API. */
export function App({
  blog,
  client,
  state,
}: {
  blog: Blog;
  client: QueryClient;
  state?: DehydratedState;
}): ReactElement {
  return (
    <QueryClientProvider client={client}>
      <HydrationBoundary state={state}>
        <Posts blog={blog} />
      </HydrationBoundary>
    </QueryClientProvider>
  );
}

function Posts({ blog }: { blog: Blog }): ReactElement {
  const query = useInfiniteQuery(blogQueries(blog).posts.infinite({ limit: LIMIT }));
  if (query.isPending) return <p role="status">Loading …</p>;
  if (query.isError) return <p role="alert">{query.error.message}</p>;
  const posts = query.data.pages.flatMap((page) => page.items);
  return (
    <>
      <ul>
        {posts.map((post) => (
          <li key={post.id}>{post.title}</li>
        ))}
      </ul>
      {query.hasNextPage && (
        <button type="button" disabled={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          More
        </button>
      )}
    </>
  );
}
