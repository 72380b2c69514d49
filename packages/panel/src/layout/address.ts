/** The URL of the same page with other parameters; `undefined` removes a parameter. */
export function withQuery(url: URL, changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(url.searchParams);
  query.delete('done');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? url.pathname : `${url.pathname}?${text}`;
}

/** Where to go after a change: the page of the panel that the form names, or the fallback. */
export function safeReturn(given: unknown, fallback: string, done?: string): string {
  const origin = 'http://panel.invalid';
  const named = typeof given === 'string' && URL.canParse(given, origin) ? new URL(given, origin) : undefined;
  // Compared after parsing: `/panel/..//evil.example` would be a link to another host.
  const isOwn = named?.origin === origin && named.pathname.startsWith('/panel/');
  const target = isOwn ? named : new URL(fallback, origin);
  if (done) target.searchParams.set('done', done);
  return target.pathname + target.search;
}
