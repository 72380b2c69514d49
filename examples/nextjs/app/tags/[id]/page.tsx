import { notFound } from 'next/navigation';
import { PostList } from '../../../lib/post-list';
import { readTag, readTags } from '../../../lib/reads';

/** Rendered at build time; a tag that is added later is rendered at its first request. */
export async function generateStaticParams() {
  const tags = await readTags();
  // Next requires at least one path, also for a blog without tags. This one is a 404.
  return tags.length > 0 ? tags.map(({ id }) => ({ id })) : [{ id: 'none' }];
}

export default async function Tag({ params }: { params: Promise<{ id: string }> }) {
  const tag = await readTag(decodeURIComponent((await params).id));
  if (!tag) notFound();
  return (
    <>
      <h1>{tag.name}</h1>
      <PostList posts={tag.items} />
    </>
  );
}
