import Link from 'next/link';
import type { ReactNode } from 'react';
import { AdSlot } from '../lib/ad-slot';
import { readCategories } from '../lib/reads';

export const metadata = { title: 'A blog' };

export default async function Layout({ children }: { children: ReactNode }) {
  const categories = await readCategories();
  return (
    <html lang="en">
      <body>
        <nav>
          <Link href="/">Posts</Link>
          {categories.map(({ id, name }) => (
            <Link key={id} href={`/categories/${encodeURIComponent(id)}`}>
              {name}
            </Link>
          ))}
          <Link href="/search">Search</Link>
        </nav>
        <main>{children}</main>
        <AdSlot format="BANNER" />
      </body>
    </html>
  );
}
