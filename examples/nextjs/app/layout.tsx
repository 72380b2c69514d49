import { AdSlot } from '@broadsheet/ad-widget/react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AdWidget } from '../lib/ads';
import { PreviewBanner } from '../lib/draft';
import { readLabels } from '../lib/reads';

export const metadata = { title: 'A blog' };

export default async function Layout({ children }: { children: ReactNode }) {
  const categories = await readLabels('categories');
  return (
    <html lang="en">
      <body>
        <AdWidget />
        <PreviewBanner />
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
        <AdSlot name="foot" format="BANNER" />
      </body>
    </html>
  );
}
