import type { Child } from 'hono/jsx';
import { currentUrl, currentVisit, mayManage } from '../access/visit.ts';
import { withQuery } from './address.ts';

/** A part of a page that is updated while the page is open: the id of its element, and the text or path. */
export type Live = readonly [id: string, value: string];

/** A column of a table, which the URL can sort. */
export interface Column<Row> {
  /** Its name in the URL, if it can be sorted. */
  readonly key?: string;
  readonly name: string;
  /** Numbers are right-aligned and sorted from the largest. */
  readonly numeric?: boolean;
  /** Sorted in descending order by default, as numbers are. */
  readonly falling?: boolean;
  /** The sort key of a row; a column without it cannot be sorted. */
  readonly by?: (row: Row) => string | number;
  /** The content of a cell; by default the sort key. */
  readonly cell?: (row: Row) => Child;
  /** The id and the text of a cell that is updated while the page is open. */
  readonly live?: (row: Row) => Live;
  /** Hidden on a phone. */
  readonly spare?: boolean;
  /** Contains text of users, which may have long words. */
  readonly words?: boolean;
}

/** The columns of a table; `false` for a column that is hidden from this reader. */
export type Columns<Row> = readonly (Column<Row> | false)[];

/** A column of numbers, written in the format of the reader. */
export const numberColumn = <Row,>(
  column: Pick<Column<Row>, 'key' | 'name' | 'spare'>,
  by: (row: Row) => number,
  write: (value: number) => string,
): Column<Row> => ({ ...column, numeric: true, by, cell: (row) => write(by(row)) });

/** The column with the buttons of a row, for people who may change it. */
export const actionColumn = <Row,>(cell: (row: Row) => Child): Column<Row> | false =>
  mayManage() && { name: 'Actions', numeric: true, cell };

/** The order of a table, from its URL: `sort=clicks`, or `sort=-clicks` for the reverse. */
interface Order {
  readonly key: string;
  readonly reversed: boolean;
}

/** The order in a query parameter, or `sort` if it has none. */
export function orderIn(url: URL, parameter: string, sort: string): Order {
  const given = url.searchParams.get(parameter) || sort;
  return { key: given.replace(/^-/, ''), reversed: given.startsWith('-') };
}

/** Rows in the given order; the sort is stable. */
export function sorted<Row>(rows: readonly Row[], columns: Columns<Row>, { key, reversed }: Order): readonly Row[] {
  const column = columns.filter((column) => column !== false).find((candidate) => candidate.key === key);
  if (!column?.by) return rows;
  const { by, numeric, falling = numeric } = column;
  const natural = (a: Row, b: Row): number => {
    const [x, y] = [by(a), by(b)];
    if (typeof x === 'number' && typeof y === 'number') return x - y;
    return String(x).localeCompare(String(y));
  };
  return rows.toSorted((a, b) => (falling ? -1 : 1) * (reversed ? -1 : 1) * natural(a, b));
}

export interface TableProps<Row> {
  caption: string;
  /** The query parameter that holds the order. */
  parameter?: string;
  /** The column that orders the rows if the URL names none. */
  sort?: string;
  columns: Columns<Row>;
  rows: readonly Row[];
  /** Their total, below them. */
  total?: Row;
  /** Whether the rows are sorted already. */
  inOrder?: boolean;
  /** Shown instead of a table without rows. */
  empty?: Child;
}

/** A table whose headings are links that change its order. */
export function Table<Row>({
  caption,
  parameter = 'sort',
  sort = '',
  rows,
  total,
  inOrder,
  ...props
}: TableProps<Row>) {
  const url = currentUrl();
  if (rows.length === 0 && props.empty) return <p class="empty">{props.empty}</p>;
  const columns = props.columns.filter((column) => column !== false);
  const order = orderIn(url, parameter, sort);
  return (
    <section class="scroll" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading column={column} order={order} to={(key) => withQuery(url, { [parameter]: key })} />
            ))}
          </tr>
        </thead>
        <tbody>
          {(inOrder ? rows : sorted(rows, columns, order)).map((row) => (
            <Cells columns={columns} row={row} />
          ))}
        </tbody>
        {total && (
          <tfoot>
            <Cells columns={columns} row={total} />
          </tfoot>
        )}
      </table>
    </section>
  );
}

const Cells = <Row,>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) => (
  <tr>
    {columns.map((column, index) => {
      const Cell = index === 0 ? 'th' : 'td';
      return (
        <Cell scope={index === 0 ? 'row' : undefined} class={classOf(column)}>
          {column.live ? <LiveCell live={column.live(row)} /> : (column.cell ?? column.by)?.(row)}
        </Cell>
      );
    })}
  </tr>
);

const LiveCell = ({ live: [id, text] }: { live: Live }) => <span data-live={id}>{text}</span>;

const classOf = ({ numeric, spare, words }: Omit<Column<never>, 'by' | 'cell'>): string | undefined =>
  [numeric && 'number', spare && 'spare', words && 'words'].filter(Boolean).join(' ') || undefined;

/** The heading of a column: a link that sorts by it, or reverses the order. */
function Heading<Row>({ column, order, to }: { column: Column<Row>; order: Order; to: (key: string) => string }) {
  const { key = '', name, numeric, falling = numeric, by } = column;
  const current = by !== undefined && order.key === key;
  const down = (falling === true) !== order.reversed;
  return (
    <th scope="col" class={classOf(column)} aria-sort={current ? (down ? 'descending' : 'ascending') : undefined}>
      {by ? (
        <a href={to(current && !order.reversed ? `-${key}` : key)}>
          {name}
          {current && <span aria-hidden="true">{down ? ' ↓' : ' ↑'}</span>}
        </a>
      ) : (
        name
      )}
    </th>
  );
}

interface RowLinkProps {
  to: string;
  name: string;
  note?: Child;
  children?: Child;
}

export function RowLink({ to, name, note, children }: RowLinkProps) {
  return (
    <a class="row" href={to}>
      <bdi>{name}</bdi> {note && <small>{note}</small>}
      {children}
    </a>
  );
}

/** A timestamp in a table; on a phone only its day. */
export function Moment({ at }: { at: string }) {
  const { numbers } = currentVisit();
  return (
    <time datetime={at}>
      <span class="brief">{numbers.fullDay(at)}</span>
      <span class="spare">{numbers.moment(at)}</span>
    </time>
  );
}
