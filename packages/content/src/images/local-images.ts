import { join, posix, relative, sep } from 'node:path';
import { withoutTrailingSlashes } from '@broadsheet/contract';
import { type Image, manyNotes, mediaPath } from '@broadsheet/core';
import { LIMITS } from '../limits.ts';
import type { ReadContentOptions } from '../noted-snapshot.ts';
import { type ContentProblem, quote } from '../problem.ts';
import type { SourceFolder } from '../source-folder.ts';
import { decoded } from '../text/decoded.ts';
import { ImageFolder } from './image-folder.ts';
import type { ImageReference } from './image-references.ts';

/** The file in which references were found, and where their problems and notes go. */
export interface ReferringFile {
  /** Its path inside the folder. */
  readonly path: string;
  /** The place of a reference in problems, by its offset in the text. */
  at(offset: number): string;
  readonly problems: ContentProblem[];
  readonly notes: string[];
}

/** A URL that is not a path: with a scheme or a host, or only a query or a fragment. */
const NOT_A_PATH = /^(?:[a-z][a-z\d+.-]*:|\/\/|[?#]|$)/i;
const IMAGE_FILE = /\.(?:png|jpe?g|gif|webp|avif)$/i;
const TEMPLATE = /^\{|\{\{|\{%/;
/** Ghost stores images in several sizes. A backup may have only the original. */
const GHOST_SIZE = /^(content\/images\/)size\/[^/]+\//;

const OF_SITE =
  'refers to an image by an absolute path, which stays as written; "broadsheet import --root DIR" looks for it in DIR';
const IN_TEMPLATE = 'refers to an image by template code, which stays as written';

/** The images in a folder to which posts refer, each once. */
export class LocalImages {
  readonly #folder: ImageFolder;
  readonly #root: ImageFolder;
  readonly #options: ReadContentOptions;
  readonly #mediaUrl: string;
  readonly #images = new Map<string, Image>();
  readonly #asWritten = new Map<string, string[]>();

  /** @param root the folder to which absolute paths refer */
  constructor(folder: SourceFolder, root: SourceFolder, options: ReadContentOptions) {
    this.#folder = new ImageFolder(folder);
    this.#root = root === folder ? this.#folder : new ImageFolder(root);
    this.#options = options;
    this.#mediaUrl = withoutTrailingSlashes(options.mediaUrl ?? '');
  }

  get images(): readonly Image[] {
    return [...this.#images.values()];
  }

  /** Notes on references that stay as written. */
  get notes(): string[] {
    return [...this.#asWritten].flatMap(([what, places]) => manyNotes(places.sort(), what));
  }

  /** Replaces references to local images by the URLs under which they will be served. */
  rewrite(text: string, references: readonly ImageReference[], file: ReferringFile): string {
    let [result, done] = ['', 0];
    for (const reference of references) {
      const image = this.#imageOf(reference, file);
      if (typeof image === 'object') {
        this.#images.set(image.hash, image);
        result += text.slice(done, reference.from) + this.#mediaUrl + mediaPath(image);
        done = reference.to;
      } else if (image !== undefined) this.#report(`the image ${quote(reference.url)} ${image}`, reference, file);
    }
    return result + text.slice(done);
  }

  #report(message: string, { from }: ImageReference, { at, problems, notes }: ReferringFile): void {
    if (!this.#options.allowMissing) problems.push({ at: at(from), message, code: 'IMAGE' });
    else if (notes.length < LIMITS.problems) notes.push(`${at(from)}: ${message} (the reference stays as written)`);
  }

  /** The image of a reference, or its problem; `undefined` if the reference stays as written. */
  #imageOf(reference: ImageReference, file: ReferringFile): Image | string | undefined {
    const { url, from, kind } = reference;
    const path = pathIn(url);
    if (NOT_A_PATH.test(url) || (kind === 'link' && !IMAGE_FILE.test(path))) return undefined;
    if (TEMPLATE.test(url)) return this.#stays(IN_TEMPLATE, file.at(from));
    const isAbsolute = path.startsWith('/');
    const { folder, wanted } = this.#locate(path, file.path);
    const image =
      folder?.image(wanted) ??
      folder?.image(wanted.replace(GHOST_SIZE, '$1')) ??
      (kind === 'cover' ? this.#root.image(path) : undefined);
    if (typeof image === 'object' && this.#images.size >= LIMITS.images && !this.#images.has(image.hash))
      return `exceeds the limit of ${LIMITS.images} images per import; import the posts in several parts`;
    if (image !== undefined) return image;
    if (folder === undefined) return `is outside the folder ${quote(this.#folder.folder.name)} and is not read`;
    if (isAbsolute && this.#options.root === undefined) return this.#stays(OF_SITE, file.at(from));
    if (folder.folder.linkedFolders.some((linked) => wanted.startsWith(`${linked}/`)))
      return 'is behind a symbolic link to a folder, which is not followed';
    const similar = folder.similar(wanted);
    if (similar === undefined) return 'does not exist; check its path';
    const meant = isAbsolute ? `/${similar}` : posix.relative(posix.dirname(file.path), similar);
    return `does not exist; did you mean ${quote(path.startsWith('./') ? `./${meant}` : meant)}?`;
  }

  /** The folder that a path leads into, and the path inside it. */
  #locate(path: string, file: string): { readonly folder?: ImageFolder; readonly wanted: string } {
    if (path.startsWith('/')) return { folder: this.#root, wanted: posix.normalize(path).slice(1) };
    const wanted = posix.join(posix.dirname(file), path);
    if (!leavesFolder(wanted)) return { folder: this.#folder, wanted };
    const start = this.#folder.folder.place;
    // The path may lead out of the folder and back, or into the root.
    for (const folder of [this.#folder, this.#root]) {
      const { place } = folder.folder;
      const inside = start && place ? relative(place, join(start, wanted)).split(sep).join('/') : '..';
      if (!leavesFolder(inside)) return { folder, wanted: inside };
    }
    return { wanted };
  }

  #stays(what: string, at: string): undefined {
    const places = this.#asWritten.get(what) ?? [];
    places.push(at);
    this.#asWritten.set(what, places);
  }
}

const leavesFolder = (path: string): boolean => path.split('/')[0] === '..';

/** The path in a URL, decoded, without its query and fragment. */
function pathIn(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return decoded(path).replaceAll('\\', '/');
}
