import type { SourceBlogInput } from '@broadsheet/contract';
import type { Image } from '@broadsheet/core';
import type { ContentProblem } from './problem.ts';

/** How content is read. */
export interface ReadContentOptions {
  /**
   * The id of the blog that a Markdown folder or a Ghost export becomes; by default it is derived from the name of the
   * folder or the title of the Ghost site. Not allowed for a snapshot, which names its own blogs.
   */
  readonly blog?: string | undefined;
  /**
   * The name of that blog; by default the title of the Ghost site, or, for a new blog, its id or the name of the folder.
   */
  readonly name?: string | undefined;
  /** Leaves out files of a folder that cannot be used and lists them, instead of refusing the whole folder. */
  readonly skipBad?: boolean | undefined;
  /** Converts Markdown to HTML; by default it is stored as written. */
  readonly html?: boolean | undefined;
  /**
   * The URL of the server that will serve the local images of Markdown files and of a Ghost export. Without it,
   * references to them stay as written.
   */
  readonly mediaUrl?: string | undefined;
  /** The folder on disk to which absolute paths of images refer; by default the folder itself. */
  readonly root?: string | undefined;
  /** Leaves references to images that are missing or cannot be stored as written, and notes them. */
  readonly allowMissing?: boolean | undefined;
  /** Whether the caller adds the images of a snapshot; other content contains its own images. */
  readonly media?: boolean | undefined;
  /** The current time in milliseconds since the epoch: posts with a later date are scheduled. Default: `Date.now()`. */
  readonly now?: number | undefined;
  /** Aborts reading a folder that takes too long. */
  readonly signal?: AbortSignal | undefined;
  /** Called as files of a folder are read. */
  readonly onProgress?: ((filesRead: number, filesInAll: number) => void) | undefined;
}

/** Content read from a source, with notes on what was corrected or left out. */
export interface NotedSnapshot {
  readonly snapshot: { readonly blogs: SourceBlogInput[] };
  /** The images to which the snapshot refers by their URLs on the server; bytes of files are read when needed. */
  readonly images?: readonly Image[];
  /** Whether the source does not name the blog. The name in the snapshot then comes from the file or the folder. */
  readonly unnamed?: boolean;
  readonly notes: readonly string[];
  /** The problems of the files that were left out. */
  readonly skipped?: readonly ContentProblem[];
}
