import { BlogObject as Original } from '../../packages/workers/src/objects/blog-object.ts';

export { default } from '../../packages/workers/src/index.ts';

interface Cursor {
  toArray(): Record<string, unknown>[];
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

/** The Durable Object, extended to count the rows that its statements read and write, as they are billed. */
export class BlogObject extends Original {
  #read = 0;
  #written = 0;

  override async fetch(request: Request): Promise<Response> {
    if (request.headers.get('x-test') === 'rows') {
      const rows = { read: this.#read, written: this.#written };
      [this.#read, this.#written] = [0, 0];
      return Response.json(rows);
    }
    this.#count();
    return super.fetch(request);
  }

  #count(): void {
    const { sql } = this.ctx.storage;
    if (Object.hasOwn(sql, 'exec')) return;
    const exec = sql.exec.bind(sql) as (query: string, ...bindings: unknown[]) => Cursor;
    const counted = (query: string, ...bindings: unknown[]) => {
      const cursor = exec(query, ...bindings);
      const rows = cursor.toArray();
      this.#read += cursor.rowsRead;
      this.#written += cursor.rowsWritten;
      return { toArray: () => rows };
    };
    Object.defineProperty(sql, 'exec', { value: counted });
  }
}
