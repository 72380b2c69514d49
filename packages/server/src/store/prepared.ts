import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Runs a query with its arguments, on a connection or inside a transaction. */
export type Prepared<Args, Row> = (db: Kysely<Tables>, args: Args) => Promise<Row[]>;

/**
 * Builds and compiles a query once; each run puts the arguments where `arg` stood. Building takes longer than SQLite
 * needs to answer, so the queries of hot paths are prepared.
 *
 * @example
 * const blogNamed = prepare(db, (arg: Arg<{ id: string }>) => db.selectFrom('blogs').selectAll().where('blog_id', '=', arg('id')));
 * const rows = await blogNamed(db, { id: 'a' });
 */
export function prepare<Args, Row>(build: (arg: Arg<Args>) => { compile(): CompiledQuery<Row> }): Prepared<Args, Row> {
  // The builder only ever carries the placeholder to the list of parameters, whatever its type says.
  const arg: Arg<Args> = <K extends keyof Args>(name: K) => new Placeholder(name) as unknown as Args[K];
  const compiled = build(arg).compile();
  return async (db, args) => {
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? args[parameter.name as keyof Args] : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}

/** Stands for an argument while a query is built. */
export type Arg<Args> = <K extends keyof Args>(name: K) => Args[K];
