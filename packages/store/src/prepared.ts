import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Stands for an argument while a query is built. */
export type Arg<Args> = <K extends keyof Args>(name: K) => Args[K];

/**
 * Builds and compiles a query once; each run replaces the placeholders of `arg` with arguments. Building a query takes
 * longer than SQLite needs to run it, so the queries of hot paths are prepared.
 *
 * @example
 * const blogNamed = prepareRead(db, (arg: Arg<{ id: string }>) => db.selectFrom('blogs').selectAll().where('blog_id', '=', arg('id')));
 * const rows = await blogNamed({ id: 'a' });
 */
export function prepareRead<Args, Row>(
  db: Kysely<Tables>,
  build: (arg: Arg<Args>) => { compile(): CompiledQuery<Row> },
): (args: Args) => Promise<readonly Row[]> {
  // Despite the type, the builder only passes the placeholder on to the list of parameters.
  const query = build((name) => new Placeholder(name) as unknown as Args[typeof name]).compile();
  return async (args) => {
    const parameters = query.parameters.map((value) =>
      value instanceof Placeholder ? args[value.name as keyof Args] : value,
    );
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
