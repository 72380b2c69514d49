import { readFile } from 'node:fs/promises';
import { WEBHOOK_TYPES } from '@broadsheet/contract';
import {
  type ArgsOf,
  COMMAND_LINE,
  COMMANDS,
  type Command,
  type CommandName,
  mediaUrl,
  newSecret,
  type ResultOf,
  readImage,
  runCommand,
} from '@broadsheet/management';
import type { SqlStore } from '@broadsheet/store';
import { CONTENT } from './site-files.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** An image that the server stores. */
const SPECIMEN = new URL('art/specimen.png', CONTENT);
/** Where the demo receives its own webhooks. */
export const HOOK_PATH = '/demo/hook';

/** The blog whose activity is written, and when and where. */
export interface SampleActivityOptions {
  readonly blog: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly url: string;
}

/**
 * Does what two people of a magazine do in a week, by the commands that the panel uses, so that the log, the recycle
 * bin, the webhooks and the people of the demo are not empty. Returns the link to the report of a sponsor.
 */
export async function writeSampleActivity(store: SqlStore, { blog, now, url }: SampleActivityOptions): Promise<string> {
  const ida = 'Ida Quill';
  const run = <Name extends CommandName>(
    ago: number,
    name: Name,
    args: ArgsOf<(typeof COMMANDS)[Name]>,
    who = ida,
  ): Promise<ResultOf<(typeof COMMANDS)[Name]>> => {
    const { on = 'blog' }: Command = COMMANDS[name];
    const call = { name, blog: on === 'server' ? '' : blog, args, actor: { ...COMMAND_LINE, name: who } };
    // The table declares the types of results.
    return runCommand({ store, now: now - ago, commands: COMMANDS }, call) as Promise<never>;
  };
  const ads = new Map((await store.listAllAds(blog)).map(({ id, title }) => [title, id]));
  await run(9 * DAY, 'panel.invite', { name: ida, role: 'manage', url }, COMMAND_LINE.name);
  await run(9 * DAY - HOUR, 'panel.invite', { name: 'Ben Foxglove', role: 'view', blog, url });
  const image = await readImage(new Uint8Array(await readFile(SPECIMEN)), 'specimen.png');
  await store.putImage(blog, image);
  const ad = ads.get('Pell & Sons, Typefounders') ?? '';
  await run(6 * DAY, 'ads.edit', { ad, imageUrl: mediaUrl(url, image) });
  await run(3 * DAY, 'campaigns.edit', { campaign: 'spring-colours', goalImpressions: '6000' });
  await run(2 * DAY, 'ads.delete', { ad: ads.get('The Summer Regatta') ?? '' });
  await run(DAY, 'posts.delete', { post: 'post-notes-towards-a-better-drawer' });
  await store.addHook(blog, { id: 'demo', url: url + HOOK_PATH, types: WEBHOOK_TYPES, secret: newSecret() }, now - DAY);
  await run(2 * HOUR, 'posts.unpublish', { post: 'post-a-map-of-quiet' });
  await run(HOUR, 'posts.publish', { post: 'post-a-map-of-quiet' });
  const report = await run(HOUR, 'campaigns.report', { campaign: 'spring-colours', link: true, url });
  return 'link' in report ? report.link : '';
}
