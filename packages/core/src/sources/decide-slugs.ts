import type { SourceFile } from '@broadsheet/contract';

/** A post of a source that claims a slug. */
export interface SlugClaim {
  readonly id: string;
  readonly slug: string;
  readonly isDraft: boolean;
  /** Without a file, the slug is not negotiable. */
  readonly file?: SourceFile | undefined;
  /** The slug that the blog stores for the post. */
  readonly stored?: string | undefined;
}

/** The slugs of the posts of a source. */
export interface DecidedSlugs {
  /** Those that differ from what the source says, by the ids of the posts. */
  readonly slugs: ReadonlyMap<string, string>;
  /** A note for each post whose slug another post has. */
  readonly notes: readonly string[];
}

/**
 * Gives every post of a source a slug of its own. If several posts claim a slug, the post keeps it that has it, then one
 * that is not a draft gets it, then one whose file names it, then the first by path; the others add their folders as a
 * prefix or a number as a suffix. A post that once got such a slug keeps it.
 *
 * @param isTaken whether a post that is not in the source has a slug
 */
export function decideSlugs(claims: readonly SlugClaim[], isTaken: (slug: string) => boolean): DecidedSlugs {
  const slugs = new Map<string, string>();
  const notes: string[] = [];
  const owner = new Map<string, SlugClaim>();
  const claimed = claims.map((claim) => ({ claim, slug: claimedBy(claim) }));
  const rank = ({ claim, slug }: (typeof claimed)[number]) => [
    claim.file === undefined,
    claim.stored === slug,
    !claim.isDraft,
    claim.file?.hasSlug === true,
  ];
  const inOrder = claimed.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)];
    const index = one.findIndex((value, position) => value !== other[position]);
    if (index !== -1) return one[index] ? -1 : 1;
    return (a.claim.file?.path ?? '') < (b.claim.file?.path ?? '') ? -1 : 1;
  });
  for (const { claim, slug } of inOrder) if (!owner.has(slug)) owner.set(slug, claim);
  for (const { claim, slug } of claimed) {
    const holder = owner.get(slug);
    let decided = slug;
    if (claim.file && holder !== claim) {
      const isFree = (other: string) => !owner.has(other) && (claim.stored === other || !isTaken(other));
      decided = alternatives(claim, claim.file).find(isFree) ?? claim.id;
      owner.set(decided, claim);
      const taker = holder?.file?.path ?? `the post ${holder?.id}`;
      notes.push(`${claim.file.path}: the slug "${slug}" is taken by ${taker}; this post is "${decided}"`);
    }
    if (decided !== claim.slug) slugs.set(claim.id, decided);
  }
  return { slugs, notes };
}

/** A slug that was made from a path stays, although the slug that the path would have is free by now. */
function claimedBy({ id, slug, file, stored }: SlugClaim): string {
  if (stored === undefined || file === undefined || file.hasSlug) return slug;
  return [...alternatives({ id, slug }, file), id].includes(stored) ? stored : slug;
}

const alternatives = ({ slug }: Pick<SlugClaim, 'id' | 'slug'>, { otherSlugs }: SourceFile): string[] => [
  ...otherSlugs,
  ...Array.from({ length: 8 }, (_, index) => `${slug}-${index + 2}`),
];
