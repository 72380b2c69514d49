import type { Db } from '../src/sql.ts';

/** Counts the rows that statements return. */
export function countRows(db: Db): { readonly db: Db; rows: number } {
  const counter = {
    rows: 0,
    async db<Row>(...statement: Parameters<Db>): Promise<Row[]> {
      const found = await db<Row>(...statement);
      counter.rows += found.length;
      return found;
    },
  };
  return counter;
}
