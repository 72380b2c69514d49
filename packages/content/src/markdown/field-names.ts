/** A name without case and punctuation, since `coverImage`, `cover_image` and `Cover Image` are one field. */
export const fieldKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * The names that site generators use for what a post has, in the order in which they are read. The case of letters and
 * punctuation do not matter.
 */
export const FIELD_NAMES = {
  title: ['title'],
  slug: ['slug'],
  /** The address of the post on its old site; its last part becomes the slug. */
  address: ['permalink', 'url', 'path'],
  subtitle: ['subtitle', 'description', 'excerpt', 'summary', 'abstract', 'spoiler', 'lead', 'dek', 'tagline', 'brief'],
  author: ['author', 'authors', 'creator', 'byline'],
  cover: [
    ...[
      'cover',
      'image',
      'coverImage',
      'coverUrl',
      'heroImage',
      'hero',
      'featuredImage',
      'featureImage',
      'headerImage',
    ],
    ...['images', 'thumbnail', 'banner', 'bannerImage', 'mainImage', 'socialImage', 'ogImage', 'teaser'],
  ],
  category: ['category'],
  categories: ['categories'],
  tags: ['tags', 'tag', 'topics'],
  date: [
    ...[
      'publishedAt',
      'date',
      'pubDate',
      'pubDatetime',
      'datePublished',
      'publishedDate',
      'publishedOn',
      'publishedTime',
    ],
    ...['publicationDate', 'postDate', 'created', 'createdAt', 'createdOn', 'dateCreated', 'creationDate'],
  ],
  updated: [
    ...['lastmod', 'updated', 'updatedAt', 'updatedDate', 'updatedOn', 'lastUpdated', 'lastUpdate', 'lastUpdatedAt'],
    ...['modified', 'modifiedAt', 'modifiedDate', 'modDatetime', 'dateModified', 'dateUpdated', 'lastModified'],
    ...['lastModifiedAt', 'updateDate'],
  ],
  scheduled: ['scheduledAt', 'scheduledFor', 'scheduledDate', 'scheduled'],
  /** When a post that is finished appears. */
  release: ['publishDate', 'publishOn', 'publishAt', 'releaseDate', 'embargo', 'embargoUntil', 'goLiveDate'],
  /** When a post disappears. */
  expiry: ['expiryDate', 'expireDate', 'expirationDate', 'expires', 'expiresAt', 'unpublishDate', 'unpublishAt'],
  status: ['status', 'postStatus'],
  visibility: ['visibility', 'access', 'privacy'],
  /** A true value hides the post. */
  hiding: [
    ...['draft', 'isDraft', 'drafts', 'private', 'isPrivate', 'hidden', 'isHidden', 'hide', 'unlisted', 'isUnlisted'],
    ...['unpublished', 'wip', 'headless', 'protected', 'invisible', 'embargoed', 'expired', 'noPublish', 'dontPublish'],
    ...['eleventyExcludeFromCollections', 'membersOnly'],
  ],
  /** A false value hides the post. */
  showing: [
    'published',
    'publish',
    'isPublished',
    'public',
    'isPublic',
    'visible',
    'isVisible',
    'listed',
    'live',
    'render',
  ],
  password: ['password'],
  /** Hugo's rules for building a page. */
  build: ['build'],
  kind: ['type', 'layout', 'kind'],
  isPage: ['page', 'isPage'],
} as const satisfies Record<string, readonly string[]>;

/** What a field of front matter may say about a post. */
export type Meaning = keyof typeof FIELD_NAMES;

/** Maps of some generators whose entries are read like fields of their own. */
export const NESTED = ['taxonomies', 'extra', 'params'] as const;
