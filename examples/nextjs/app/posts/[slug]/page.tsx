import Link from 'next/link';
import { blog, orNotFound } from '../../../lib/blog';

type Props = { params: Promise<{ slug: string }> };

/** Made when the site is built; a post that comes later is made when it is first read. */
export async function generateStaticParams() {
  const posts = await blog.posts.list({ limit: 100 }).take(100);
  return posts.map(({ slug }) => ({ slug }));
}

async function load({ params }: Props) {
  const { slug } = await params;
  return orNotFound(blog.posts.getBySlug(decodeURIComponent(slug)));
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
