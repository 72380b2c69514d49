/** What one ad earned so far. */
export interface Earned {
  readonly impressions: number;
  readonly clicks: number;
}

/** A post that waits for its time. */
export interface ScheduledPost {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
}

/** A running API to hold against the document. */
export interface Target {
  /** What stands before `/public/...`, without a slash at its end. */
  readonly baseUrl: string;
  /** Sends a request. `from.ip` is the address it should seem to come from, for targets with `ips`. */
  readonly fetch: (request: Request, from?: { readonly ip: string }) => Promise<Response>;
  /** A key of the blog under test: any blog, or `main` of {@link conformanceSnapshot}. */
  readonly apiKey: string;
  /** A key of `other` of {@link conformanceSnapshot}. Given, it says that the target serves that snapshot. */
  readonly otherKey?: string;
  /** Moves the clock of the target. */
  readonly clock?: { advance(ms: number): void | Promise<void> };
  /** Writes a post of the blog under test that is due after so many milliseconds of the target's clock. */
  readonly schedule?: (post: ScheduledPost, due: number) => void | Promise<void>;
  /** What an ad of the blog under test earned. */
  readonly earned?: (adId: string) => Earned | Promise<Earned>;
  /** Whether `Origin` and `Referer` reach the API as the case sets them; browsers put in their own. */
  readonly origins?: boolean;
  /** Whether `from.ip` is understood. */
  readonly ips?: boolean;
  /** The `{docs_url}` of error bodies, when it is known. */
  readonly docsUrl?: string;
  /** Checks only what the API document states, and nothing of what it leaves open and Broadsheet decided. */
  readonly documentOnly?: boolean;
  /** The origin of a page on a domain of the blog under test, where it has any; looked for in its content otherwise. */
  readonly origin?: string;
}

/** What a case throws when the blog of the target has nothing that it could be held against. */
export class Unchecked extends Error {
  override readonly name = 'Unchecked';
}

/** What a case asks of its target beyond answering: the snapshot, or one of the optional parts of {@link Target}. */
export type Capability = 'snapshot' | 'clock' | 'schedule' | 'earned' | 'origins' | 'ips';

/** One promise of the API document, and the check of it. */
export interface ConformanceCase {
  /** Section of the API document; `decided` for what that leaves open and Broadsheet decided. */
  readonly section: string;
  /** The promise, as a sentence. */
  readonly name: string;
  /** `read` changes nothing on the target; `counts` records impressions or clicks, or publishes a post. */
  readonly effect: 'read' | 'counts';
  readonly needs: readonly Capability[];
  /** Rejects with a `Disagreement` when the target breaks the promise, with {@link Unchecked} when it cannot show it. */
  run(target: Target): Promise<void>;
}

/** What a target can do. */
export function capabilities(target: Target): ReadonlySet<Capability> {
  const parts = (['clock', 'schedule', 'earned', 'origins', 'ips'] as const).filter((part) => target[part]);
  return new Set(target.otherKey === undefined ? parts : ['snapshot', ...parts]);
}

/** What is the same for several cases of a section. */
type Common = Pick<ConformanceCase, 'section'> & Partial<Pick<ConformanceCase, 'effect' | 'needs'>>;

/** Builds cases of one section that need the same. */
export function section({ section, effect = 'read', needs = [] }: Common) {
  return (name: string, run: ConformanceCase['run']): ConformanceCase => ({ section, name, effect, needs, run });
}
