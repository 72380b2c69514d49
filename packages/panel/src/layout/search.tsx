import { Button } from './button.tsx';

/** The other query parameters of a page, as hidden fields of a form that sets some of them. */
export function OtherParameters({ url, except }: { url: URL; except: readonly string[] }) {
  const others = [...url.searchParams].filter(([name]) => name !== 'done' && !except.includes(name));
  return (
    <>
      {others.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** A search in the list of the page; the term is in the URL. */
export function SearchBar({ url, label }: { url: URL; label: string }) {
  return (
    <search>
      <form method="get" action={url.pathname} class="bar">
        <OtherParameters url={url} except={['q', 'page']} />
        <label>
          <span class="unseen">{label}</span>
          <input type="search" name="q" value={url.searchParams.get('q') ?? ''} placeholder={label} />
        </label>
        <Button kind="small" name="Search" />
      </form>
    </search>
  );
}

/** The search term, in lower case. */
export const searchIn = (url: URL): string => (url.searchParams.get('q') ?? '').trim().toLowerCase();

interface Tab {
  readonly name: string;
  readonly count?: number;
  readonly href: string;
  readonly current: boolean;
}

/** Views of a list, each with its own URL. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label}>
      <ul class="tabs">
        {tabs.map(({ name, count, href, current }) => (
          <li>
            <a href={href} aria-current={current ? 'true' : undefined}>
              {name}
              {count !== undefined && ` ${count}`}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Links to the next and the previous page of a long list. */
export function Pages({ page, last, to }: { page: number; last: number; to: (page: number) => string }) {
  if (last <= 1) return null;
  return (
    <nav class="pages" aria-label="Pages">
      <span>{page > 1 && <a href={to(page - 1)}>← Newer</a>}</span>
      <span>
        Page {page} of {last}
      </span>
      <span>{page < last && <a href={to(page + 1)}>Older →</a>}</span>
    </nav>
  );
}

/** The page number in the query, starting at 1. */
export function readPage(query: URLSearchParams): number {
  const given = query.get('page') ?? '';
  return /^[1-9]\d{0,6}$/.test(given) ? Number(given) : 1;
}
