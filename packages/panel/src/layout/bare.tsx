/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { Head } from './head.tsx';

/** A page of its own, for whoever is not signed in and for what went wrong. */
export function Bare({ title, refresh, children }: { title: string; refresh?: string; children?: Child }) {
  return (
    <html lang="en">
      <Head title={title} refresh={refresh} />
      <body class="bare">
        <main>
          <p class="brand">Broadsheet</p>
          <h1>{title}</h1>
          {children}
          <p>
            <a href="/panel">The panel</a>
          </p>
        </main>
      </body>
    </html>
  );
}
