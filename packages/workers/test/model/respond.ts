import type { SqlStore } from '@broadsheet/store';
import type { Step } from './commands.ts';
import { type Observation, observeManagement, observeReads } from './observe.ts';
import { type Abilities, type Outcome, perform } from './perform.ts';

/** A step, and the blogs that are observed after it; without a step, they are only observed. */
export interface Request {
  readonly step?: Step | undefined;
  readonly now: number;
  readonly blogs: readonly string[];
}

export interface Response {
  readonly outcome?: Outcome | undefined;
  readonly seen: Readonly<Record<string, Observation>>;
}

/** Performs a step on an open store, and observes it. */
export async function respond(store: SqlStore, { step, now, blogs }: Request, abilities: Abilities): Promise<Response> {
  const outcome = step && (await perform(store, step, now, abilities));
  const seen: Record<string, Observation> = {};
  for (const blog of blogs) {
    seen[blog] = { ...(await observeReads(store, blog)), ...(await observeManagement(store, blog, now)) };
  }
  return { outcome, seen };
}
