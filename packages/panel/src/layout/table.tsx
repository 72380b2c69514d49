import type { Child } from 'hono/jsx';
import { currentNumbers, currentUrl, mayManage } from '../access/visit.ts';
import { withQuery } from './address.ts';

/** A column of a table. The URL can sort the rows by a column that has `by`. */
export interface Column<Row> {
  readonly name: string;
  /** The name in the URL; by default `name` in lower case. */
  readonly key?: string;
  /** Numbers are right-aligned and sorted from the largest. */
  readonly numeric?: boolean;
  /** Sorted in descending order by default, as numbers are. */
  readonly descending?: boolean;
  /** The sort key of a row. */
  readonly by?: (row: Row) => string | number;
  /** The content of a cell; by default the sort key. */
  readonly cell?: (row: Row) => Child;
  /** Hidden on a phone. */
  readonly spare?: boolean;
  /** Breaks lines anywhere, because words in the text of users may be wider than a phone. */
  readonly wraps?: boolean;
}

/** The columns of a table; `false` for a column that is hidden from this reader. */
export type Columns<Row> = readonly (Column<Row> | false)[];

type More<Row> = Omit<Column<Row>, 'name' | 'by' | 'cell'>;

/** A column of numbers, written as counts unless `write` writes them differently. */
export function numberColumn<Row>(
  name: string,
  by: (row: Row) => number,
  { write = currentNumbers().count, ...more }: More<Row> & { readonly write?: (value: number) => string } = {},
): Column<Row> {
  return { name, numeric: true, by, cell: (row) => write(by(row)), ...more };
}

/**
 * A column of the days of timestamps.
 *
 * @param none shown in rows without a timestamp
 * @param after the sort key of these rows
 */
export function dayColumn<Row>(
  name: string,
  at: (row: Row) => string | null | undefined,
  none: string,
  after = '',
): Column<Row> {
  const { fullDay } = currentNumbers();
  const cell = (row: Row) => {
    const time = at(row);
    return time ? <time datetime={time}>{fullDay(time)}</time> : none;
  };
  return { name, spare: true, by: (row) => at(row) ?? after, cell };
}

/** The column with the buttons of a row, for people who may change it. */
export const actionColumn = <Row,>(cell: (row: Row) => Child): Column<Row> | false =>
  mayManage() && { name: 'Actions', numeric: true, cell };

export const keyOf = <Row,>({ key, name }: Column<Row>): string => key ?? name.toLowerCase();

/** The order of a table, from its URL: `sort=clicks`, or `sort=-clicks` for the reverse. */
interface Order {
  readonly key: string;
  readonly reversed: boolean;
}

function currentOrder({ parameter = 'sort', sort = '' }: { parameter?: string; sort?: string }): Order {
  const given = currentUrl().searchParams.get(parameter) || sort;
  return { key: given.replace(/^-/, ''), reversed: given.startsWith('-') };
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

/** The rows in the order of the URL; the sort is stable. */
export function rowsInOrder<Row>({ columns, rows, ...props }: Omit<TableProps<Row>, 'caption'>): readonly Row[] {
  const { key, reversed } = currentOrder(props);
  const column = columns.filter((column) => column !== false).find((candidate) => keyOf(candidate) === key);
  if (!column?.by) return rows;
  const { by, numeric, descending = numeric } = column;
  const natural = (a: Row, b: Row): number => {
    const [x, y] = [by(a), by(b)];
    if (typeof x === 'number' && typeof y === 'number') return x - y;
    return String(x).localeCompare(String(y));
  };
  return rows.toSorted((a, b) => (descending ? -1 : 1) * (reversed ? -1 : 1) * natural(a, b));
}

/** A table whose headings are links that change its order. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, parameter = 'sort', rows, total, inOrder, empty } = props;
  if (rows.length === 0 && empty) return <p class="empty">{empty}</p>;
  const columns = props.columns.filter((column) => column !== false);
  const [url, order] = [currentUrl(), currentOrder(props)];
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
          {(inOrder ? rows : rowsInOrder(props)).map((row) => (
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
          {(column.cell ?? column.by)?.(row)}
        </Cell>
      );
    })}
  </tr>
);

const classOf = ({ numeric, spare, wraps }: More<never>): string | undefined =>
  [numeric && 'number', spare && 'spare', wraps && 'wraps'].filter(Boolean).join(' ') || undefined;

/** The heading of a column: a link that sorts by it, or reverses the order. */
function Heading<Row>({ column, order, to }: { column: Column<Row>; order: Order; to: (key: string) => string }) {
  const { name, numeric, descending = numeric, by } = column;
  const key = keyOf(column);
  const current = by !== undefined && order.key === key;
  const down = (descending === true) !== order.reversed;
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

/** The state of a row or a page. @param is the name of the state, which decides its color */
export const State = ({ is, title, children = is }: { is: string; title?: string; children?: Child }) => (
  <span class={`state ${is}`} title={title}>
    {children}
  </span>
);

/** A timestamp; on a phone only its day. */
export function Moment({ at }: { at: string }) {
  const numbers = currentNumbers();
  return (
    <time datetime={at}>
      <span class="brief">{numbers.fullDay(at)}</span>
      <span class="spare">{numbers.moment(at)}</span>
    </time>
  );
}
