import type { ProvenBlog } from './content.ts';
import type { Entry } from './history.ts';
import { CHANGES } from './rules/changes.ts';
import { COUNTS } from './rules/counts.ts';
import { KEYS } from './rules/keys.ts';
import { LIMITS } from './rules/limits.ts';
import { MESSAGES } from './rules/messages.ts';
import { REFUSALS } from './rules/refusals.ts';
import type { BlogHistory, Contradiction, Figures, Of, Rule } from './rules/rule.ts';
import { TOKENS } from './rules/tokens.ts';

export interface Run {
  readonly entries: readonly Entry[];
  readonly blogs: readonly ProvenBlog[];
  readonly figures: Readonly<Record<string, Figures>>;
}

/** What the rules found in a run. */
export interface Findings {
  readonly contradictions: readonly Contradiction[];
  /** How often each rule had a chance to fail, by its promise. */
  readonly chances: ReadonlyMap<string, number>;
}

/** One rule for each promise and dimension. */
export const RULES: readonly Rule[] = [
  ...[...KEYS, ...COUNTS, ...LIMITS, ...TOKENS, ...CHANGES, ...REFUSALS, ...MESSAGES],
];

/** Decides from the responses that clients received, and from the final figures, whether every promise was kept. */
export function checkRun(run: Run): Findings {
  const chances = new Map(RULES.map(({ promise }) => [promise, 0]));
  const contradictions = run.blogs.flatMap((blog): Contradiction[] => {
    const figures = run.figures[blog.id];
    if (!figures) return [{ promise: 'every blog has figures', found: `${blog.id} has none`, entries: [] }];
    const history = historyOf(run, blog, figures);
    return RULES.flatMap(({ promise, check }) => {
      const verdict = check(history);
      chances.set(promise, (chances.get(promise) ?? 0) + verdict.chances);
      return verdict.found.map(({ text, entries = [] }) => {
        return { promise, found: text, entries: entries.toSorted((a, b) => a.end - b.end) };
      });
    });
  });
  return { contradictions, chances };
}

/** The contradictions alone. */
export const findContradictions = (run: Run): readonly Contradiction[] => checkRun(run).contradictions;

function historyOf({ entries }: Run, blog: ProvenBlog, figures: Figures): BlogHistory {
  const own = entries.filter((entry) => !('blog' in entry) || entry.blog === blog.id);
  const byKind = Map.groupBy(own, ({ kind }) => kind);
  return {
    blog,
    figures,
    // Entries of a kind have its type.
    of: <Kind extends Entry['kind']>(kind: Kind) => (byKind.get(kind) ?? []) as Of<Kind>[],
  };
}
