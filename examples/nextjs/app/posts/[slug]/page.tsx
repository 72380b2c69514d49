import Link from 'next/link';
import { notFound } from 'next/navigation';
import { readPost, readPosts } from '../../../lib/reads';

type Props = { params: Promise<{ slug: string }> };

/** Rendered at build time; any other post is rendered at its first request. */
export async function generateStaticParams() {
  const posts = await readPosts();
  return posts.map(({ slug }) => ({ slug }));
}

async function load({ params }: Props) {
  const post = await readPost(decodeURIComponent((await params).slug));
  return post ?? notFound();
}

export async function generateMetadata(props: Props) {
  const { title, subtitle } = await load(props);
  return { title, description: subtitle };
}

export default async function Post(props: Props) {
  const post = await load(props);
  return (
    <article>
      <h1>{post.title}</h1>
      <p>{post.subtitle}</p>
      {/* As text: what is HTML must be sanitized, and Markdown rendered, by the library of your choice. */}
      <div style={{ whiteSpace: 'pre-wrap' }}>{post.content}</div>
      {post.tags.map(({ id, name }) => (
        <Link key={id} href={`/tags/${encodeURIComponent(id)}`}>
          #{name}
        </Link>
      ))}
    </article>
  );
}
