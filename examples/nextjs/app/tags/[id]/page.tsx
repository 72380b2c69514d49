import { notFound } from 'next/navigation';
import { PostList } from '../../../lib/post-list';
import { readTag, readTags } from '../../../lib/reads';

/** Rendered at build time; a tag that is added later is rendered at its first request. */
export async function generateStaticParams() {
  const tags = await readTags();
  return tags.map(({ id }) => ({ id }));
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
