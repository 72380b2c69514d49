import {
  AD_FORMATS,
  defaultsOf,
  SnapshotAd,
  type SnapshotCategory,
  type SnapshotPost,
  type SnapshotTag,
} from '@broadsheet/contract';
import type { SeededRandom } from './random.ts';

/** Builds resources of one kind, each of them different and valid according to its schema. */
export interface Factory<T> {
  /** One resource, with the fields you care about. */
  build(fields?: Partial<T>): T;
  /** Several resources. */
  list(count: number, fields?: Partial<T> | ((index: number) => Partial<T>)): T[];
}

/** The reference time of generated data: 1 January 2026, noon UTC. Worlds also start at this time. */
export const EPOCH = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;

/** Creates a factory that calls `make` with 1, 2, 3 and so on. */
export function factory<T>(make: (index: number) => T): Factory<T> {
  let made = 0;
  const build = (fields?: Partial<T>): T => {
    made += 1;
    return { ...make(made), ...fields };
  };
  return {
    build,
    list: (count, fields) =>
      Array.from({ length: count }, (_, index) => build(typeof fields === 'function' ? fields(index) : fields)),
  };
}

const daysAgo = (days: number): string => new Date(EPOCH - days * DAY).toISOString();

/** The timestamps of the n-th resource of a kind. */
export const stamps = (n: number) => ({ createdAt: daysAgo(n + 1), updatedAt: daysAgo(n) });

const SUBJECTS = ['river', 'lantern', 'harbour', 'night train', 'market', 'press'];
const DEEDS = ['wakes the town', 'keeps the time', 'meets the rain', 'ends the day'];
const PLACES = ['Porto', 'Tromsø', 'Kyoto', 'Valparaíso', 'Zürich'];
const SENTENCES = ['The snow came by noon.', 'The day smelled of rain.', 'By noon the town was quiet.'];

/** A factory for every resource as a blog stores it. */
export interface StoredFactories {
  readonly post: Factory<SnapshotPost>;
  readonly category: Factory<SnapshotCategory>;
  readonly tag: Factory<SnapshotTag>;
  readonly ad: Factory<SnapshotAd>;
}

/** Creates the factories over one random sequence. */
export function storedFactories(random: SeededRandom): StoredFactories {
  return {
    category: factory((n) => ({
      id: `category-${n}`,
      name: `Category ${n}`,
      description: sentence(random),
      ...stamps(n),
    })),
    tag: factory((n) => ({ id: `tag-${n}`, name: `Tag ${n}`, ...stamps(n) })),
    post: factory((n) => storedPost(random, n)),
    ad: factory((n) => storedAd(random, n)),
  };
}

function storedPost(random: SeededRandom, n: number): SnapshotPost {
  const headline = title(random);
  const { createdAt, updatedAt } = stamps(n);
  return {
    id: `post-${n}`,
    title: headline,
    subtitle: sentence(random),
    content: article(random),
    slug: `${slugOf(headline)}-${n}`,
    status: 'PUBLISHED',
    scheduledAt: null,
    authorId: `author-${1 + random.below(3)}`,
    coverUrl: random.oneIn(3) ? null : `https://images.broadsheet.example/cover-${n}.jpg`,
    categoryIds: [],
    tagIds: [],
    publishedAt: updatedAt,
    createdAt,
    updatedAt,
  };
}

/** An ad to put into a blog. */
export function storedAd(random: SeededRandom, n: number): SnapshotAd {
  return {
    ...defaultsOf(SnapshotAd),
    id: random.uuid(),
    format: random.pick(AD_FORMATS),
    priority: random.below(10),
    imageUrl: `https://images.broadsheet.example/ad-${n}.png`,
    linkUrl: `https://advertiser.example/offer-${n}`,
    title: title(random),
    content: sentence(random),
    linkText: random.pick(['Read more', 'Try it']),
  };
}

const title = (random: SeededRandom): string =>
  `The ${random.pick(SUBJECTS)} of ${random.pick(PLACES)} ${random.pick(DEEDS)}`;

const sentence = (random: SeededRandom): string => random.pick(SENTENCES);

/** HTML as an editor writes it. */
function article(random: SeededRandom): string {
  const paragraph = () => `<p>${sentence(random)} ${sentence(random)}</p>`;
  return `${paragraph()}<h2>${title(random)}</h2>${paragraph()}`;
}

const slugOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
