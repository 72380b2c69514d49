import { marked } from 'marked';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import sanitizeHtml from 'sanitize-html';
import { readDraft } from '../../../lib/draft';
import { readParam } from '../../../lib/params';
import { readPost, readPosts } from '../../../lib/reads';

type Props = { params: Promise<{ slug: string }> };

// By default, sanitize-html removes images.
const allowedTags = [...sanitizeHtml.defaults.allowedTags, 'img'];

/** Rendered at build time; any other post is rendered at its first request. */
export async function generateStaticParams() {
  const posts = await readPosts();
  // Next requires at least one path, even for a blog without posts. This one is a 404.
  return posts.length > 0 ? posts.map(({ slug }) => ({ slug })) : [{ slug: 'none' }];
}

async function load({ params }: Props) {
  const { slug } = await params;
  return (await readParam(slug, readDraft)) ?? (await readParam(slug, readPost)) ?? notFound();
}

export async function generateMetadata(props: Props) {
  const { title, subtitle } = await load(props);
  return { title, description: subtitle };
}

export default async function Post(props: Props) {
  const post = await load(props);
  const html = sanitizeHtml(await marked(post.content), { allowedTags });
  return (
    <article>
      <h1>{post.title}</h1>
      <p>{post.subtitle}</p>
      {/* It is sanitized above. */}
      <div dangerouslySetInnerHTML={{ __html: html }} />
      {post.tags.map(({ id, name }) => (
        <Link key={id} href={`/tags/${encodeURIComponent(id)}`}>
          #{name}
        </Link>
      ))}
    </article>
  );
}
