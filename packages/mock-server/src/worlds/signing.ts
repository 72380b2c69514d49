import {
  signedContent,
  tagsOfLabel,
  tagsOfPost,
  WEBHOOK_HEADERS,
  WEBHOOK_SECRET_PREFIX,
  type WebhookEvent,
  type WebhookType,
} from '@broadsheet/contract';
import {
  type Clock,
  createAdEvents,
  createSigning,
  type FindBlog,
  type MemoryContent,
  type Random,
  type Signing,
  signPreview,
} from '@broadsheet/core';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { isbot } from 'isbot';
import type { WebhookOptions } from './world.ts';
import { WEBHOOK_SECRET, type WorldContext } from './world-context.ts';

/** The dependencies of the signing parts of a world. */
export interface SigningPorts {
  readonly store: MemoryContent;
  readonly clock: Clock;
  readonly random: Random;
  readonly secret: string;
  readonly findBlog: FindBlog;
}

/** Creates what delivers the ads of a world and counts them, with the server's list of bots, and verifies previews. */
export function createWorldSigning({ store, secret, findBlog, ...ports }: SigningPorts): Signing {
  const own = { store: { ...store, ...createAdEvents(store) }, hmac: createHmac(secret), isBot: isbot };
  return createSigning({ ...ports, ...own, fingerprint: (address) => address }, findBlog);
}

/** A preview token; `now` is in milliseconds since the epoch. */
export const previewToken = (secret: string, post: Parameters<typeof signPreview>[1], now: number) =>
  signPreview(createHmac(secret), post, now);

const utf8 = new TextEncoder();

/** HMAC-SHA256 in Base64, without WebCrypto, which pages on plain http and Hermes lack. */
const sign = (key: Uint8Array, text: string): string =>
  btoa(String.fromCharCode(...hmac(sha256, key, utf8.encode(text))));

/** Creates a function that signs text as the server does: HMAC-SHA256 in base64url. */
export function createHmac(secret: string): (text: string) => string {
  const key = utf8.encode(secret);
  return (text) => sign(key, text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * Creates the request that a server sends for an event. It is signed at the time of this machine, as receivers check
 * that; the event has the time of the world.
 *
 * @throws Error for an id that is not in the world
 */
export function webhookRequest(context: WorldContext, type: WebhookType, options: WebhookOptions): Request {
  const { clock, content, random } = context;
  const { url = 'https://app.test/webhook', secret = WEBHOOK_SECRET } = options;
  const { revision } = content.state.blog;
  // The subject has the id and the slug that events of its type have.
  const event = {
    type,
    timestamp: new Date(clock.now()).toISOString(),
    data: { ...subjectOf(context, type, options.id ?? ''), revision },
  } as WebhookEvent;
  const [id, timestamp, body] = [`msg_${random.uuid()}`, Math.floor(Date.now() / 1000), JSON.stringify(event)];
  const key = Uint8Array.from(atob(secret.replace(WEBHOOK_SECRET_PREFIX, '')), (char) => char.charCodeAt(0));
  const headers = {
    'content-type': 'application/json',
    [WEBHOOK_HEADERS.id]: id,
    [WEBHOOK_HEADERS.timestamp]: String(timestamp),
    [WEBHOOK_HEADERS.signature]: `v1,${sign(key, signedContent(id, timestamp, body))}`,
  };
  return new Request(url, { method: 'POST', headers, body });
}

/** The item that an event names, and the tags of the reads that it makes outdated. */
function subjectOf({ content: { blog } }: WorldContext, type: WebhookType, id: string) {
  if (type === 'ads.changed' || type === 'ping') return { id: null, slug: null, tags: [] };
  if (type === 'label.changed') {
    const kinds = { category: blog.categories, tag: blog.tags };
    const kind = (['category', 'tag'] as const).find((one) => kinds[one]?.some((label) => label.id === id));
    if (kind) return { id, slug: null, tags: tagsOfLabel(kind, id) };
  }
  const post = type !== 'label.changed' && blog.posts?.find((one) => one.id === id);
  if (!post)
    throw new Error(`world.webhook: ${type} needs the id of an item of the world; received ${JSON.stringify(id)}`);
  const { slug, categoryIds = [], tagIds = [] } = post;
  return { id, slug, tags: tagsOfPost({ id, slugs: [slug], categoryIds, tagIds }) };
}
