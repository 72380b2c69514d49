import type { SnapshotInput } from '@broadsheet/contract';
import type { ContentProblem } from './problem.ts';

/** How content is read. */
export interface ReadContentOptions {
  /**
   * The id of the blog that a Markdown folder or a Ghost export becomes; by default it is made from the name of the
   * folder or the title of the Ghost site. A snapshot names its own blogs.
   */
  readonly blog?: string | undefined;
  /** Leaves out files of a folder that cannot be used, and says which, instead of refusing them all. */
  readonly skipBad?: boolean | undefined;
  /** Stores the Markdown of a folder as the HTML it means; by default it is stored as written. */
  readonly html?: boolean | undefined;
  /** When it is read, in milliseconds since the epoch: posts dated ahead of it are scheduled. Now by default. */
  readonly now?: number | undefined;
  /** Ends the reading of a folder that takes too long. */
  readonly signal?: AbortSignal | undefined;
  /** Called as files of a folder are read. */
  readonly onProgress?: ((filesRead: number, filesInAll: number) => void) | undefined;
}

/** Content of one blog as a source gives it, with notes on what was fixed or left out. */
export interface NotedSnapshot {
  readonly snapshot: SnapshotInput;
  /** Whether the source does not say what the blog is called: its name there is that of the file or the folder. */
  readonly unnamed?: boolean;
  readonly notes: readonly string[];
  /** What was left out because it could not be used, file by file. */
  readonly skipped?: readonly ContentProblem[];
  /** The file that each post is from, by the post's id, where posts have files of their own. */
  readonly files?: ReadonlyMap<string, string>;
}
