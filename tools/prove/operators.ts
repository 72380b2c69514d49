import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperationError } from '../../packages/management/src/index.ts';
import { BLOGS, type ProvenBlog, post } from './content.ts';
import type { Deployment } from './deployment.ts';
import type { Gate } from './gate.ts';
import { type CommandEntry, type History, type Outcome, type Span, ZOMBIE } from './history.ts';
import type { Random } from './random.ts';
import { Visitor } from './requests.ts';

export interface OperatorOptions {
  readonly deployment: Deployment;
  readonly history: History;
  readonly random: Random;
  readonly gate: Gate;
  readonly keys: Map<string, string[]>;
}

/** The changes of a command, for the history. */
type Change = Partial<Omit<CommandEntry, keyof Span | 'kind' | 'blog' | 'name' | 'outcome'>>;

/** Milliseconds between two changes of one post: so that the time of a message identifies the change. */
const REST = 6_000;

/** Runs commands, one after another for each blog, until the run ends. */
export async function runOperator(blog: ProvenBlog, options: OperatorOptions): Promise<void> {
  const { deployment, history, random, gate, keys } = options;
  const versions = new Map([...blog.titled, ...blog.toggled].map((id) => [id, 1]));
  const restUntil = new Map<string, number>();
  let count = 1;

  /** Runs a command and writes it. */
  async function run(name: string, args: object, change: Change = {}): Promise<{ outcome: Outcome; result?: unknown }> {
    const end = history.begin();
    const write = (outcome: Outcome, more: Change = {}) =>
      end({ kind: 'command', blog: blog.id, name, outcome, ...change, ...more });
    try {
      const result = await deployment.run(name, blog.id, args);
      const { apiKey } = Object(result) as { apiKey?: string };
      write('ok', apiKey === undefined ? {} : { created: apiKey });
      return { outcome: 'ok', result };
    } catch (error) {
      const outcome = error instanceof OperationError ? 'refused' : 'unknown';
      write(outcome, { note: String(error) });
      return { outcome };
    }
  }

  const free = (ids: readonly string[]) => ids.filter((id) => (restUntil.get(id) ?? 0) < performance.now());
  const rest = (id: string, outcome: Outcome) =>
    restUntil.set(id, performance.now() + (outcome === 'ok' ? REST : ZOMBIE + REST));

  async function retitle(): Promise<void> {
    const ready = free(blog.titled);
    if (ready.length === 0) return;
    const chosen = random.pick(ready);
    count += 1;
    const version = count;
    // One post, in one part.
    const part = { id: blog.id, name: blog.id, posts: [post(chosen, version)], categories: [], tags: [] };
    const name = createHash('sha256').update(JSON.stringify(part)).digest('hex');
    const { outcome } = await run('import.add', { name, part });
    if (outcome !== 'ok') return;
    const imported = await run('import.run', { parts: [name], keepNames: true }, { post: chosen, version });
    rest(chosen, imported.outcome);
  }

  async function toggle(): Promise<void> {
    const ready = free(blog.toggled);
    if (ready.length === 0) return;
    const chosen = random.pick(ready);
    const version = versions.get(chosen) === 1 ? 0 : 1;
    const name = version === 1 ? 'posts.publish' : 'posts.unpublish';
    const { outcome } = await run(name, { post: chosen }, { post: chosen, version });
    if (outcome === 'ok') versions.set(chosen, version);
    rest(chosen, outcome);
  }

  async function limit(): Promise<void> {
    const campaign = random.pick(blog.campaigns);
    const goal = campaign.goal + random.below(campaign.goal);
    const perDay = campaign.perDay === undefined ? undefined : campaign.perDay + random.below(campaign.perDay);
    const args = { campaign: campaign.id, goalImpressions: String(goal), ...(perDay && { perDay: String(perDay) }) };
    await run('campaigns.edit', args, { campaign: campaign.id, goal, perDay });
  }

  /** The ad that is paused, or that may be. */
  let pausedAd: string | undefined;
  async function pause(): Promise<void> {
    const ad = pausedAd ?? random.pick(Object.keys(blog.ads));
    const isActive = pausedAd !== undefined;
    const { outcome } = await run(isActive ? 'ads.resume' : 'ads.pause', { ad: [ad] }, { ad, isActive });
    pausedAd = isActive && outcome === 'ok' ? undefined : ad;
  }

  /** Creates a key, and records it unless the response was lost. */
  async function addKey(): Promise<void> {
    const { outcome, result } = await run('keys.create', {});
    if (outcome === 'ok') keys.get(blog.id)?.push((result as { apiKey: string }).apiKey);
  }

  async function rotate(): Promise<void> {
    const known = keys.get(blog.id) ?? [];
    const { outcome, result } = await run('keys.rotate', {}, { revoked: [...known] });
    if (outcome === 'ok') known.push((result as { apiKey: string }).apiKey);
  }

  /** Whether the newest known key is valid: a rotation whose response was lost may have revoked it. */
  async function hasKey(): Promise<boolean> {
    const reader = new Visitor(0);
    try {
      const headers = { 'x-api-key': keys.get(blog.id)?.at(-1) ?? '' };
      return (await reader.send(`${deployment.url}/public/tags`, { headers })).status !== 401;
    } catch {
      return true;
    } finally {
      reader.leave();
    }
  }

  while (await gate.enter()) {
    try {
      if (!(await hasKey())) await addKey();
      else
        await random.pick([
          retitle,
          retitle,
          retitle,
          toggle,
          toggle,
          limit,
          pause,
          pause,
          random.chance(0.2) ? rotate : addKey,
        ])();
    } finally {
      gate.leave();
    }
    await sleep(200 + random.below(600));
  }
}

/** Creates the webhooks of a run. */
export async function addHooks(
  deployment: Deployment,
  urls: readonly (readonly [blog: string, url: string])[],
): Promise<void> {
  const events = ['post.published', 'post.updated', 'post.removed'];
  for (const [blog, url] of urls) await deployment.run('hooks.add', blog, { url, events });
}

/** The number of messages of all webhooks that have not arrived. */
export async function countPending(deployment: Deployment): Promise<number> {
  const counts = BLOGS.map(async ({ id }) => {
    const { hooks } = (await deployment.run('hooks.list', id, {})) as { hooks: { pending: number }[] };
    return hooks.reduce((sum, { pending }) => sum + pending, 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
