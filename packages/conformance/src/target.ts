/** The counts of one ad so far. */
export interface AdCounts {
  readonly impressions: number;
  readonly viewable: number;
  readonly clicks: number;
}

/** A post to be published in the future. */
export interface ScheduledPost {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
}

/** A running API to check against the document. */
export interface Target {
  /** The URL before `/public/...`, without a trailing slash. */
  readonly baseUrl: string;
  /** Sends a request. `from.ip` is the IP address of the visitor, for targets with `ips`. */
  readonly fetch: (request: Request, from?: { readonly ip: string }) => Promise<Response>;
  /** A key of the blog under test: any blog, or `main` of {@link conformanceSnapshot}. */
  readonly apiKey: string;
  /** A key of `other` of {@link conformanceSnapshot}. If set, the target must serve that snapshot. */
  readonly otherKey?: string;
  /** Moves the clock of the target. */
  readonly clock?: { advance(ms: number): void | Promise<void> };
  /** Writes a post of the blog under test that is due `due` milliseconds after the current time of the target. */
  readonly schedule?: (post: ScheduledPost, due: number) => void | Promise<void>;
  /** Creates a preview token of a post of the blog under test. */
  readonly preview?: (postId: string) => string | Promise<string>;
  /** Reads the counts of an ad of the blog under test. */
  readonly adCounts?: (adId: string) => AdCounts | Promise<AdCounts>;
  /** Whether `Origin` and `Referer` reach the API as the case sets them; browsers replace them. */
  readonly origins?: boolean;
  /** Whether `from.ip` is supported. */
  readonly ips?: boolean;
  /** The `{docs_url}` of error bodies, if it is known. */
  readonly docsUrl?: string;
  /**
   * Checks only what the API document specifies, not what Broadsheet decided on points that the document leaves open.
   */
  readonly documentOnly?: boolean;
  /** The origin of a page on a domain of the blog under test. By default, the content is searched for one. */
  readonly origin?: string;
}

/** Thrown by a case that cannot be checked because the blog has no suitable content. */
export class Unchecked extends Error {
  override readonly name = 'Unchecked';
}

/** What a case requires of its target: the snapshot, or one of the optional parts of {@link Target}. */
export type Capability = 'snapshot' | 'clock' | 'schedule' | 'preview' | 'adCounts' | 'origins' | 'ips';

/** One rule of the API document and its check. */
export interface ConformanceCase {
  /** Section of the API document; `decided` for points that the document leaves open and Broadsheet decided. */
  readonly section: string;
  /** The rule, as a sentence. */
  readonly name: string;
  /** `read` changes nothing on the target; `counts` records impressions or clicks, or publishes a post. */
  readonly effect: 'read' | 'counts';
  readonly needs: readonly Capability[];
  /** Rejects with a `Disagreement` if the target breaks the rule, with {@link Unchecked} if that cannot be checked. */
  run(target: Target): Promise<void>;
}

/** The capabilities of a target. */
export function capabilities(target: Target): ReadonlySet<Capability> {
  const parts = (['clock', 'schedule', 'preview', 'adCounts', 'origins', 'ips'] as const).filter(
    (part) => target[part],
  );
  return new Set(target.otherKey === undefined ? parts : ['snapshot', ...parts]);
}

/** The properties that several cases of a section have in common. */
type Common = Pick<ConformanceCase, 'section'> & Partial<Pick<ConformanceCase, 'effect' | 'needs'>>;

/** Builds cases of one section with the same requirements. */
export function section({ section, effect = 'read', needs = [] }: Common) {
  return (name: string, run: ConformanceCase['run']): ConformanceCase => ({ section, name, effect, needs, run });
}
