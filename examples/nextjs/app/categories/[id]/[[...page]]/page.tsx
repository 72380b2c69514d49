import Link from 'next/link';
import { notFound } from 'next/navigation';
import { readParam } from '../../../../lib/params';
import { PostList } from '../../../../lib/post-list';
import { readLabel, readLabels } from '../../../../lib/reads';

/** Rendered at build time; a category that is added later is rendered at its first request. */
export async function generateStaticParams() {
  const categories = await readLabels('categories');
  // Next requires at least one path, even for a blog without categories. This one is a 404.
  return categories.length > 0 ? categories.map(({ id }) => ({ id, page: [] })) : [{ id: 'none', page: [] }];
}

type Props = { params: Promise<{ id: string; page?: string[] }> };

/** The newest posts at /categories/ID, older ones at /categories/ID/2 and so on. */
export default async function Category({ params }: Props) {
  const { id: param, page = [] } = await params;
  const number = page.length > 0 ? Number(page.join()) : 1;
  const category =
    number > 0 && Number.isInteger(number)
      ? await readParam(param, (id) => readLabel('categories', id, number))
      : undefined;
  if (!category || (number > 1 && category.items.length === 0)) notFound();
  return (
    <>
      <h1>{category.name}</h1>
      <PostList posts={category.items} />
      {category.hasNext && (
        <Link href={`/categories/${encodeURIComponent(category.id)}/${number + 1}`}>Older posts</Link>
      )}
    </>
  );
}
