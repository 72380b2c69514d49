import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type Image, imageKind } from '@broadsheet/core';
import { distance } from 'fastest-levenshtein';
import type { SourceFolder } from '../source-folder.ts';

/** The images of a folder, by the names that references use. */
export class ImageFolder {
  readonly folder: SourceFolder;
  /**
   * Files by their names in one Unicode form, because the same name may be composed in a text and decomposed on disk.
   */
  readonly #files: ReadonlyMap<string, string>;
  readonly #byFolder: Partial<Record<string, string[]>>;
  readonly #byName: Partial<Record<string, string[]>>;
  readonly #read = new Map<string, Image | string>();

  constructor(folder: SourceFolder) {
    this.folder = folder;
    this.#files = new Map(folder.files.map((file) => [file.normalize(), file]));
    this.#byFolder = Object.groupBy(this.#files.keys(), (file) => posix.dirname(file));
    this.#byName = Object.groupBy(this.#files.keys(), nameOf);
  }

  /** The image at a path, or why it cannot be stored, as the end of a sentence; `undefined` if there is no file. */
  image(path: string): Image | string | undefined {
    const file = this.#files.get(path.normalize());
    if (file === undefined) return undefined;
    const image = this.#read.get(file) ?? readImage(this.folder, file);
    this.#read.set(file, image);
    return image;
  }

  /**
   * A file that may be meant by a path without a file: one with a similar name, or with the same name in another
   * folder.
   */
  similar(path: string): string | undefined {
    const name = nameOf(path);
    const slips = (other: string): number =>
      Math.abs(other.length - name.length) > MOST_SLIPS ? Number.POSITIVE_INFINITY : distance(nameOf(other), name);
    const [nearest] = (this.#byFolder[posix.dirname(path)] ?? [])
      .map((file) => ({ file, slips: slips(posix.basename(file)) }))
      .filter(({ slips }) => slips <= MOST_SLIPS)
      .sort((a, b) => a.slips - b.slips);
    return nearest?.file ?? this.#byName[name]?.[0];
  }
}

const MOST_SLIPS = 2;
const nameOf = (path: string): string => posix.basename(path).normalize().toLowerCase();

function readImage(folder: SourceFolder, file: string): Image | string {
  const bytes = folder.readImage(file);
  if (typeof bytes === 'string') return bytes;
  const kind = imageKind(bytes);
  if (typeof kind === 'string') return kind;
  const hash = hashOf(bytes);
  return {
    hash,
    extension: kind.extension,
    // The file is read again when it is stored, because all images of a folder may not fit into memory.
    get bytes() {
      const again = folder.readImage(file);
      if (typeof again === 'object' && hashOf(again) === hash) return again;
      throw new Error(`${file} changed while it was being imported; import it again`);
    },
  };
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
