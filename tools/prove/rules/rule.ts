import type { ProvenBlog } from '../content.ts';
import type { Entry } from '../history.ts';

/** The final figures of a blog, as `stats` returns them. */
export interface Figures {
  readonly days: readonly (Counted & { readonly day: string; readonly adId: string })[];
  readonly placements: readonly (Counted & { readonly placement: string })[];
  readonly campaigns: readonly (Counted & { readonly id: string })[];
  /** Impressions by day that do not come from readers, and those of servers. */
  readonly excluded: readonly Reason[];
  readonly unknown: readonly Reason[];
}

/** The counts of one row of the figures. */
export interface Counted {
  readonly delivered: number;
  readonly valid: number;
  readonly viewable: number;
  readonly clicks: number;
}

interface Reason {
  readonly day: string;
  readonly reason: string;
  readonly impressions: number;
}

/** A promise that the history and the figures contradict. */
export interface Contradiction {
  readonly promise: string;
  readonly found: string;
  /** The entries that it is about, in the order in which they ended. */
  readonly entries: readonly Entry[];
}

export type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** What happened to one blog, by kind, and what was counted for it. */
export interface BlogHistory {
  readonly blog: ProvenBlog;
  readonly figures: Figures;
  of<Kind extends Entry['kind']>(kind: Kind): readonly Of<Kind>[];
}

/** How often a rule had a chance to fail, and where it did. */
export interface Verdict {
  readonly chances: number;
  readonly found: readonly Found[];
}

interface Found {
  readonly text: string;
  readonly entries?: readonly Entry[] | undefined;
}

/** Checks one promise of one blog. */
export interface Rule {
  /** What its contradictions are called. */
  readonly promise: string;
  check(history: BlogHistory): Verdict;
}

/** Milliseconds within which every server shows a change and refuses a revoked key. */
export const SECOND = 1000;
/** Milliseconds by which the clocks of two servers may differ for a moment. */
export const SKEW = 2000;

/** A rule that looks at each of some items separately. */
export const each =
  <Item>(
    items: (history: BlogHistory) => readonly Item[],
    problemOf: (item: Item, history: BlogHistory) => Found | undefined,
  ): Rule['check'] =>
  (history) => {
    const all = items(history);
    return { chances: all.length, found: all.flatMap((item) => problemOf(item, history) ?? []) };
  };

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of a time in a time zone, such as `2026-11-23`. */
function dayIn(timeZone: string, time: number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(time);
}

/** The days on which an event may have been counted. */
export function daysOf({ timeZone }: ProvenBlog, from: number, to: number): readonly string[] {
  return [...new Set([dayIn(timeZone, from - SKEW), dayIn(timeZone, to + SKEW)])];
}
