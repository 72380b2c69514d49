import { notFound } from 'next/navigation';
import { PostList } from '../../../lib/post-list';
import { readCategories, readCategory } from '../../../lib/reads';

/** Rendered at build time; a category that is added later is rendered at its first request. */
export async function generateStaticParams() {
  const categories = await readCategories();
  return categories.map(({ id }) => ({ id }));
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
