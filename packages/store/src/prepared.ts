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
  const { query, bind } = compile(build);
  const run = ready(query);
  return (args) => run(bind(args));
}

/** The way of every other query, for databases that have none shorter. */
export function throughKysely(db: Kysely<Tables>): Ready {
  return <Row>(query: CompiledQuery<Row>) =>
    async (parameters: readonly unknown[]) =>
      (await db.executeQuery<Row>({ ...query, parameters })).rows;
}

function compile<Args, Row>(build: Build<Args, Row>) {
  // The builder only ever carries the placeholder to the list of parameters, whatever its type says.
  const arg: Arg<Args> = <K extends keyof Args>(name: K) => new Placeholder(name) as unknown as Args[K];
  const query = build(arg).compile();
  const bind = (args: Args): unknown[] =>
    query.parameters.map((value) => (value instanceof Placeholder ? args[value.name as keyof Args] : value));
  return { query, bind };
}
