import type { Awaitable } from '@broadsheet/core';
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

/** Readies a query for being run many times outside of transactions: a database's shortest way to its rows. */
export type Ready = <Row>(query: CompiledQuery<Row>) => (parameters: readonly unknown[]) => Awaitable<readonly Row[]>;

/**
 * Builds and compiles a query once; each run puts the arguments where `arg` stood. Building takes longer than SQLite
 * needs to answer, so the queries of hot paths are prepared.
 *
 * @example
 * const blogNamed = prepareRead(ready, (arg: Arg<{ id: string }>) => db.selectFrom('blogs').selectAll().where('blog_id', '=', arg('id')));
 * const rows = await blogNamed({ id: 'a' });
 */
export function prepareRead<Args, Row>(
  ready: Ready,
  build: Build<Args, Row>,
): (args: Args) => Awaitable<readonly Row[]> {
  // The builder only carries the placeholder to the list of parameters, whatever its type says.
  const query = build((name) => new Placeholder(name) as unknown as Args[typeof name]).compile();
  const run = ready(query);
  return (args) =>
    run(query.parameters.map((value) => (value instanceof Placeholder ? args[value.name as keyof Args] : value)));
}

/** The way of every other query, for databases that have none shorter. */
export function throughKysely(db: Kysely<Tables>): Ready {
  return <Row>(query: CompiledQuery<Row>) =>
    async (parameters: readonly unknown[]) =>
      (await db.executeQuery<Row>({ ...query, parameters })).rows;
}
