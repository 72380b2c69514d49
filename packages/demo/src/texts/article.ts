import type { MotifName } from '../art/motif.ts';

/** An article of the sample magazine as its authors hand it in. */
export interface Article {
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string;
  readonly author: string;
  /** Ids of tags. */
  readonly tags: readonly string[];
  /** Days between its publication and the day the demo runs; a negative number lies ahead. */
  readonly daysAgo: number;
  readonly status?: 'DRAFT' | 'SCHEDULED';
  /** What its cover is drawn with; the section's own motif when left out. */
  readonly motif?: MotifName;
  /** Markdown, HTML, or one inside the other. */
  readonly content: string;
}
