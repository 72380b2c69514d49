import {
  signedContent,
  tagsOfLabel,
  tagsOfPost,
  WEBHOOK_HEADERS,
  WEBHOOK_SECRET_PREFIX,
  type WebhookEvent,
  type WebhookType,
} from '@broadsheet/contract';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { WebhookOptions } from './world.ts';
import { WEBHOOK_SECRET, type WorldContext } from './world-context.ts';

const utf8 = new TextEncoder();
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/**
 * Creates the request that a server sends for an event. It is signed at the time of this machine, as receivers check
 * that; the event has the time of the world.
 *
 * @throws Error for an id that is not in the world
 */
export function webhookRequest(context: WorldContext, type: WebhookType, options: WebhookOptions): Request {
  const { clock, content, random } = context;
  const { url = 'https://app.test/webhook', secret = WEBHOOK_SECRET } = options;
  const { revision = '' } = content.store.findBlog(content.apiKey) ?? {};
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
    [WEBHOOK_HEADERS.signature]: `v1,${base64(hmac(sha256, key, utf8.encode(signedContent(id, timestamp, body))))}`,
  };
  return new Request(url, { method: 'POST', headers, body });
}

/** What an event names, and the tags of the reads that it makes outdated. */
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
