import { createHash } from 'node:crypto';
import { png } from '../../../tools/testing/images.ts';

export const AD = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
export const BLOG = {
  id: 'news',
  name: 'News',
  posts: [{ id: 'p', title: 'P', slug: 'p' }],
  campaigns: [{ id: 'c', sponsor: 'Tea', name: 'Spring' }],
  ads: [{ id: AD, format: 'BANNER' as const, title: 'Tea' }],
};
export const PART = createHash('sha256').update(JSON.stringify(BLOG)).digest('hex');
const ABSENT = createHash('sha256').update('another part').digest('hex');

/** A call of each command on each target, in an order in which all of them succeed. */
export const SEQUENCE: readonly (readonly [
  name: string,
  args: (ids: ReadonlyMap<string, string>) => object,
  on?: string,
])[] = [
  ['blogs.create', () => ({ name: 'News', domains: ['news.example'] })],
  ['import.missing', () => ({ parts: [ABSENT] })],
  ['import.add', () => ({ name: PART, part: BLOG })],
  ['import.run', () => ({ parts: [PART] })],
  ['blogs.list', () => ({}), ''],
  ['blogs.show', () => ({})],
  ['blogs.domains', () => ({ add: ['other.example'] })],
  ['blogs.rename', () => ({ name: 'The News' })],
  ['blogs.time-zone', () => ({ timeZone: 'europe/berlin' })],
  ['blogs.publisher', () => ({ contact: 'ads@news.example' })],
  ['keys.create', () => ({})],
  ['keys.rotate', () => ({})],
  ['keys.list', () => ({})],
  ['keys.revoke', () => ({ all: true })],
  ['posts.list', () => ({ search: 'p' })],
  ['posts.unpublish', () => ({ post: 'p' })],
  ['posts.publish', () => ({ post: 'p', at: '2099-01-01' })],
  ['posts.preview', () => ({ post: 'p', url: 'https://news.example/preview' })],
  ['posts.delete', () => ({ post: 'p' })],
  ['bin.list', () => ({})],
  ['posts.restore', () => ({ post: 'p' })],
  ['media.missing', () => ({ hashes: [PART] })],
  ['media.add', () => ({ image: Buffer.from(png(1, 1)).toString('base64') })],
  ['media.move', () => ({ old: 'https://old.example', new: 'https://new.example' })],
  ['media.prune', () => ({})],
  ['hooks.add', () => ({ url: 'https://site.example/hook' })],
  ['hooks.test', (ids) => ({ hook: ids.get('hooks.add') })],
  ['hooks.list', () => ({})],
  ['hooks.resend', (ids) => ({ message: ids.get('hooks.test') })],
  ['hooks.rotate', (ids) => ({ hook: ids.get('hooks.add') })],
  ['hooks.delete', (ids) => ({ hook: ids.get('hooks.add') })],
  ['campaigns.add', () => ({ sponsor: 'Tea & Co', name: 'Autumn', goalImpressions: '1000' })],
  ['campaigns.edit', () => ({ campaign: 'c', name: 'Summer' })],
  ['campaigns.pause', () => ({ campaign: 'c' })],
  ['campaigns.resume', () => ({ campaign: 'c' })],
  ['campaigns.list', () => ({})],
  ['ads.add', () => ({ format: 'BANNER', title: 'More tea', linkUrl: 'https://tea.example/' })],
  ['ads.edit', () => ({ ad: AD, title: 'Other tea' })],
  ['ads.pause', () => ({ ad: [AD] })],
  ['ads.resume', () => ({ ad: [AD] })],
  ['ads.list', () => ({})],
  ['ads.delete', () => ({ ad: AD })],
  ['ads.restore', () => ({ ad: AD })],
  ['campaigns.report', () => ({ campaign: 'c' })],
  ['campaigns.delete', () => ({ campaign: 'c' })],
  ['campaigns.restore', () => ({ campaign: 'c' })],
  ['stats', () => ({})],
  ['blogs.export', () => ({})],
  ['blogs.delete', () => ({ yes: true })],
];
/**
 * A result without the parts that differ from run to run: random ids and secrets, times, the order of random ids, and
 * whether a webhook message was already sent.
 */
export function comparable(result: unknown): unknown {
  const json = JSON.stringify(result ?? null)
    .replace(/\b(bs_|whsec_|bst_)[\w+/=-]+|eyJ[\w.-]+/g, 'SECRET')
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\b[\da-f]{12}\b|msg_[\w-]+/g, (id) =>
      id === AD ? AD : 'ID',
    )
    .replace(/\b[\da-f]{64}\b/g, 'HASH')
    .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"(seq|revision|timestamp)":\d+/g, '"$1":0');
  const sorted = (name: string, value: unknown) => {
    if (['attempts', 'nextAt', 'pending', 'isSending'].includes(name)) return undefined;
    return Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value;
  };
  return JSON.parse(json, sorted);
}

/** Runs a command. */
export type Target = (name: string, blog: string, args: object) => Promise<unknown>;

/** The results of all commands, without what differs from run to run. */
export async function resultsOf(send: Target): Promise<Readonly<Record<string, unknown>>> {
  const ids = new Map<string, string>();
  const found: Record<string, unknown> = {};
  for (const [name, args, blog = 'news'] of SEQUENCE) {
    const result = await send(name, blog, args(ids)).catch((error: Error) => ({ failed: error.message }));
    const { id, message } = (result ?? {}) as { readonly id?: string; readonly message?: string };
    ids.set(name, String(id ?? message));
    found[name] = comparable(result);
  }
  return found;
}
