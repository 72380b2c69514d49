import { notFound } from 'next/navigation';
import { PostList } from '../../../lib/post-list';
import { readCategories, readCategory } from '../../../lib/reads';

/** Rendered at build time; a category that is added later is rendered at its first request. */
export async function generateStaticParams() {
  const categories = await readCategories();
  // Next requires at least one path, also for a blog without categories. This one is a 404.
  return categories.length > 0 ? categories.map(({ id }) => ({ id })) : [{ id: 'none' }];
}

export default async function Category({ params }: { params: Promise<{ id: string }> }) {
  const category = await readCategory(decodeURIComponent((await params).id));
  if (!category) notFound();
  return (
    <>
      <h1>{category.name}</h1>
      <PostList posts={category.items} />
    </>
  );
}
