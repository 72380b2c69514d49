import type { Child } from 'hono/jsx';
import { currentUrl } from '../access/visit.ts';
import { withQuery } from './address.ts';
import { Button } from './form.tsx';
import { Table, type TableProps } from './table.tsx';

/** The other query parameters of a page, as hidden fields of a form that sets some of them. */
export function OtherParameters({ except }: { except: readonly string[] }) {
  const others = [...currentUrl().searchParams].filter(([name]) => name !== 'done' && !except.includes(name));
  return (
    <>
      {others.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** A search in the list of the page; the term is in the URL. */
function SearchBar({ label }: { label: string }) {
  const url = currentUrl();
  return (
    <search>
      <form method="get" action={url.pathname} class="bar">
        <OtherParameters except={['q', 'page']} />
        <label>
          <span class="unseen">{label}</span>
          <input type="search" name="q" value={url.searchParams.get('q') ?? ''} placeholder={label} />
        </label>
        <Button kind="small" name="Search" />
      </form>
    </search>
  );
}

/** The rows whose text contains the search term, ignoring case. */
export function matching<Row>(rows: readonly Row[], textOf: (row: Row) => string): readonly Row[] {
  const term = (currentUrl().searchParams.get('q') ?? '').trim().toLowerCase();
  return rows.filter((row) => textOf(row).toLowerCase().includes(term));
}

interface ListProps<Row> extends TableProps<Row> {
  /** The label of the search; by default it names the caption. */
  label?: string;
  /** Shown instead of the search and the table if there is nothing to search. */
  none?: Child;
  /** Between the search and the table. */
  children?: Child;
}

/** A table that can be searched. */
export function List<Row>({ label, none, children, ...table }: ListProps<Row>) {
  if (none) return <p class="empty">{none}</p>;
  const all = table.caption.toLowerCase();
  const noMatch = (
    <>
      No matching {all}. <a href={currentUrl().pathname}>Show all {all}</a>
    </>
  );
  return (
    <>
      <SearchBar label={label ?? `Search ${all}`} />
      {children}
      <Table empty={noMatch} {...table} />
    </>
  );
}

interface TabsProps {
  /** The query parameter that holds the current view. */
  parameter: string;
  /** The values of the parameter, with the names of their views. */
  tabs: readonly (readonly [value: string | undefined, name: string])[];
}

/** Views of a list by status, each with its own URL. */
export function Tabs({ parameter, tabs }: TabsProps) {
  const url = currentUrl();
  const current = url.searchParams.get(parameter) ?? undefined;
  return (
    <nav aria-label="Status">
      <ul class="tabs">
        {tabs.map(([value, name]) => (
          <li>
            <a
              href={withQuery(url, { [parameter]: value, page: undefined })}
              aria-current={value === current ? 'true' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Links to the other pages of a list. */
export function Pages({ total }: { total: number }) {
  const url = currentUrl();
  const [page, last] = [pageNumberOf(url.searchParams), Math.ceil(total / PAGE_SIZE)];
  const to = (number: number) => withQuery(url, { page: `${number}` });
  if (last <= 1) return null;
  return (
    <nav class="pages" aria-label="Pages">
      <span>{page > 1 && <a href={to(page - 1)}>← Previous</a>}</span>
      <span>
        Page {page} of {last}
      </span>
      <span>{page < last && <a href={to(page + 1)}>Next →</a>}</span>
    </nav>
  );
}

/** The page number in the query, starting at 1. */
function pageNumberOf(query: URLSearchParams): number {
  const given = query.get('page') ?? '';
  return /^[1-9]\d{0,6}$/.test(given) ? Number(given) : 1;
}

const PAGE_SIZE = 50;

/** The part of a list that the page shows. */
export const currentRange = (query: URLSearchParams): { readonly offset: number; readonly limit: number } => ({
  offset: (pageNumberOf(query) - 1) * PAGE_SIZE,
  limit: PAGE_SIZE,
});
