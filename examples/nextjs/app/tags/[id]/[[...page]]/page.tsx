import Link from 'next/link';
import { notFound } from 'next/navigation';
import { readParam } from '../../../../lib/params';
import { PostList } from '../../../../lib/post-list';
import { readLabel, readLabels } from '../../../../lib/reads';

/** Rendered at build time; a tag that is added later is rendered at its first request. */
export async function generateStaticParams() {
  const tags = await readLabels('tags');
  // Next requires at least one path, even for a blog without tags. This one is a 404.
  return tags.length > 0 ? tags.map(({ id }) => ({ id, page: [] })) : [{ id: 'none', page: [] }];
}

type Props = { params: Promise<{ id: string; page?: string[] }> };

/** The newest posts at /tags/ID, older ones at /tags/ID/2 and so on. */
export default async function Tag({ params }: Props) {
  const { id: param, page = [] } = await params;
  const number = page.length > 0 ? Number(page.join()) : 1;
  const tag =
    number > 0 && Number.isInteger(number) ? await readParam(param, (id) => readLabel('tags', id, number)) : undefined;
  if (!tag || (number > 1 && tag.items.length === 0)) notFound();
  return (
    <>
      <h1>{tag.name}</h1>
      <PostList posts={tag.items} />
      {tag.hasNext && <Link href={`/tags/${encodeURIComponent(tag.id)}/${number + 1}`}>Older posts</Link>}
    </>
  );
}
