import { Button } from './button.tsx';

/** The rest of the query of a page, for a form that sets some of its parameters. */
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

/** A search of the page's own list; what is found is in the address. */
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

/** What is searched for, in lower case. */
export const searchIn = (url: URL): string => (url.searchParams.get('q') ?? '').trim().toLowerCase();

interface Tab {
  readonly name: string;
  readonly count?: number;
  readonly href: string;
  readonly current: boolean;
}

/** Ways to look at a list, each an address. */
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

/** Links to the next and the previous part of a long list. */
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

/** The page a query names, from 1. */
export function readPage(query: URLSearchParams): number {
  const given = query.get('page') ?? '';
  return /^[1-9]\d{0,6}$/.test(given) ? Number(given) : 1;
}
