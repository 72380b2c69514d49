import type { PostSummary, SearchResultItem } from '@broadsheet/sdk';
import Link from 'next/link';

export function PostList({ posts }: { posts: readonly (PostSummary | SearchResultItem)[] }) {
  if (posts.length === 0) return <p>Nothing here yet.</p>;
  return (
    <ul>
      {posts.map(({ id, slug, title, publishedAt }) => (
        <li key={id}>
          <Link href={`/posts/${encodeURIComponent(slug)}`}>{title}</Link> <small>{publishedAt?.slice(0, 10)}</small>
        </li>
      ))}
    </ul>
  );
}
