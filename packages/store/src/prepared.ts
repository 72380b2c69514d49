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

type Build<Args, Row> = (arg: Arg<Args>) => { compile(): CompiledQuery<Row> };

/** Prepares a query that runs many times outside of transactions, in the fastest way that a database has. */
export type Ready = <Row>(query: CompiledQuery<Row>) => (parameters: readonly unknown[]) => Promise<readonly Row[]>;

/**
 * Builds and compiles a query once; each run replaces the placeholders of `arg` with arguments. Building a query takes
 * longer than SQLite needs to run it, so the queries of hot paths are prepared.
 *
 * @example
 * const blogNamed = prepareRead(ready, (arg: Arg<{ id: string }>) => db.selectFrom('blogs').selectAll().where('blog_id', '=', arg('id')));
 * const rows = await blogNamed({ id: 'a' });
 */
export function prepareRead<Args, Row>(ready: Ready, build: Build<Args, Row>): (args: Args) => Promise<readonly Row[]> {
  // Despite the type, the builder only passes the placeholder on to the list of parameters.
  const query = build((name) => new Placeholder(name) as unknown as Args[typeof name]).compile();
  const run = ready(query);
  return (args) =>
    run(query.parameters.map((value) => (value instanceof Placeholder ? args[value.name as keyof Args] : value)));
}

/** Runs queries through Kysely, for databases without a faster way. */
export function throughKysely(db: Kysely<Tables>): Ready {
  return <Row>(query: CompiledQuery<Row>) =>
    async (parameters: readonly unknown[]) =>
      (await db.executeQuery<Row>({ ...query, parameters })).rows;
}
