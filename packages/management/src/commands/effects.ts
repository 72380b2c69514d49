import type { ImportChange, ImportedBlog, Scope } from '@broadsheet/store';
import { OperationError } from '../operations/operation-error.ts';
import type { Actor, Touch } from './command.ts';

/**
 * The scopes of tokens that permit each effect, besides `all`. Without one, only `all` permits it; `operator` permits it
 * to operators only.
 */
const SCOPES_OF = {
  posts: ['import'],
  labels: ['import'],
  previews: ['import'],
  ads: ['ads'],
  campaigns: ['ads'],
  'report links': ['ads'],
  images: ['import', 'ads'],
  uploads: ['import', 'ads'],
  keys: [],
  hooks: [],
  settings: [],
  blog: [],
  people: 'operator',
  tokens: 'operator',
  secret: 'operator',
} as const satisfies Readonly<Record<Touch, readonly Scope[] | 'operator'>>;

/** Whether an actor may cause an effect. */
export function mayTouch(actor: Actor, touch: Touch): boolean {
  const scopes: readonly Scope[] | 'operator' = SCOPES_OF[touch];
  return scopes === 'operator' ? actor.isOperator : isIn(actor, scopes);
}

/** Whether the scope of an actor is one of these, or `all`. */
export const isIn = ({ scope }: Actor, scopes: readonly Scope[]): boolean => scope === 'all' || scopes.includes(scope);

/** @throws OperationError when the scope is neither one of these nor `all` */
export function requireScope(actor: Actor, scopes: readonly Scope[], what = 'this'): void {
  if (!isIn(actor, scopes)) throw outOfScope(actor, scopes, what);
}

export const forbidden = (message: string): OperationError => new OperationError(message, 'FORBIDDEN');

const outOfScope = ({ name, scope }: Actor, scopes: readonly Scope[], what: string): OperationError =>
  forbidden(`${name} has the scope ${scope}: ${what} requires the scope ${[...scopes, 'all'].join(' or ')}.`);

/**
 * @param what the action, for the message
 * @throws OperationError unless the actor may cause every effect
 */
export function requireTouches(actor: Actor, touches: Iterable<Touch>, what: string): void {
  for (const touch of touches) {
    if (!mayTouch(actor, touch)) throw outOfScope(actor, SCOPES_OF[touch] === 'operator' ? [] : SCOPES_OF[touch], what);
  }
}

const TOUCH_OF_KIND = { posts: 'posts', categories: 'labels', tags: 'labels' } as const satisfies Readonly<
  Record<keyof ImportedBlog['pruned'], Touch>
>;

const TOUCH_OF_CHANGE = {
  blog: 'blog',
  name: 'settings',
  domains: 'settings',
  'time zone': 'settings',
  publisher: 'settings',
  keys: 'keys',
  ads: 'ads',
  campaigns: 'campaigns',
} as const satisfies Readonly<Record<ImportChange, Touch>>;

type ContentKind = keyof typeof TOUCH_OF_KIND;
const CONTENT_KINDS = Object.keys(TOUCH_OF_KIND) as ContentKind[];

/** @throws OperationError unless the actor may write posts and labels of these kinds */
export const requireContent = (actor: Actor, kinds: readonly ContentKind[]): void =>
  requireTouches(
    actor,
    kinds.map((kind) => TOUCH_OF_KIND[kind]),
    'an import of posts',
  );

/** What an import with `prune` can remove. */
export const TOUCHES_OF_PRUNE: readonly Touch[] = ['posts', 'labels'];

/** The effects of an import: of what it wrote, what it removed and what else it changed. */
const touchesOfImport = (imported: ImportedBlog): Touch[] => [
  ...CONTENT_KINDS.filter((kind) => imported[kind] + imported.pruned[kind] > 0).map((kind) => TOUCH_OF_KIND[kind]),
  ...imported.changed.map((change) => TOUCH_OF_CHANGE[change]),
];

/**
 * Decides by the changes that an import has made, so that an unchanged field needs no permission.
 *
 * @throws OperationError
 */
export function requireImportTouches(actor: Actor, imported: readonly ImportedBlog[]): void {
  for (const blog of imported) {
    if (blog.changed.includes('blog')) requireEverything(actor, 'an import of a new blog');
    if (blog.changed.includes('keys')) requireEverything(actor, 'an import of API keys');
    for (const touch of touchesOfImport(blog)) requireTouches(actor, [touch], `an import that changes the ${touch}`);
  }
}

/** @throws OperationError unless the actor may do everything on every blog */
export function requireEverything(actor: Actor, what: string): void {
  if (actor.scope === 'all' && actor.blogId === null) return;
  throw forbidden(`${actor.name} is not allowed to do this: ${what} requires the scope all, for all blogs.`);
}
