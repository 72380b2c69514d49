import type { Child } from 'hono/jsx';

export const BaseMeta = () => (
  <>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
  </>
);

export function Head({ title, refresh }: { title: string; refresh?: string | undefined }) {
  return (
    <head>
      <BaseMeta />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf6ec" />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#171613" />
      <meta name="robots" content="noindex" />
      {refresh && <meta http-equiv="refresh" content={refresh} />}
      <title>{`${title} · Broadsheet`}</title>
      <link rel="icon" href="/panel/assets/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/panel/assets/panel.css" />
      <script defer src="/panel/assets/panel.js" />
    </head>
  );
}

interface BareProps {
  title: string;
  refresh?: string;
  /** Whether the page only asks the person to sign in, so that no other link works yet. */
  isFirst?: boolean;
  children?: Child;
}

/** A page without navigation, for people who are not signed in and for errors. */
export function Bare({ title, refresh, isFirst, children }: BareProps) {
  return (
    <html lang="en">
      <Head title={title} refresh={refresh} />
      <body class="bare">
        <main>
          <p class="brand">Broadsheet</p>
          <h1>{title}</h1>
          {children}
          {!isFirst && (
            <p>
              <a href="/panel">Go to the panel</a>
            </p>
          )}
        </main>
      </body>
    </html>
  );
}
