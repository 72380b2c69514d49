import { initialSize } from '../../packages/sdk/test/support/initial-size.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { root } from '../child.ts';

/** Programs that create a client and list posts, as the guide of each library recommends. */
const programs: Readonly<Record<string, string>> = {
  broadsheet: `import { createClient } from '@broadsheet/sdk';
    const blog = createClient({ baseUrl: 'https://blog.example', apiKey: 'key' });
    console.log(await blog.posts.list());`,
  ky: `import ky from 'ky';
    console.log(await ky.get('https://blog.example/public/posts', { headers: { 'x-api-key': 'key' } }).json());`,
  'ky+zod': `import ky from 'ky';
    import * as z from 'zod/mini';
    const posts = z.array(z.looseObject({ id: z.string(), title: z.string(), publishedAt: z.nullable(z.iso.datetime()) }));
    const envelope = z.looseObject({ success: z.literal(true), data: posts });
    console.log(await ky.get('https://blog.example/public/posts', { headers: { 'x-api-key': 'key' } }).json(envelope));`,
  'openapi-fetch': `import createClient from 'openapi-fetch';
    console.log(await createClient({ baseUrl: 'https://blog.example' }).GET('/public/posts'));`,
  ghost: `import GhostContentAPI from '@tryghost/content-api';
    console.log(await new GhostContentAPI({ url: 'https://blog.example', key: 'key', version: 'v6.0' }).posts.browse());`,
  stripe: `import Stripe from 'stripe';
    console.log(await new Stripe('key').customers.list());`,
  contentful: `import { createClient } from 'contentful';
    console.log(await createClient({ space: 's', accessToken: 'key' }).getEntries());`,
  openai: `import OpenAI from 'openai';
    console.log(await new OpenAI({ apiKey: 'key' }).models.list());`,
};

/** Kilobytes of each program, bundled for browsers, minified and gzipped. */
export async function size({ say }: BenchOptions): Promise<Finding[]> {
  say('sdk size');
  const sizes: Record<string, number> = {};
  const failed: string[] = [];
  for (const [name, contents] of Object.entries(programs)) {
    try {
      sizes[name] = await gzipped(contents, `${root}bench`);
    } catch (error) {
      const why = error instanceof Error ? error.message.split('\n')[1] : String(error);
      if (name === 'broadsheet') return [{ id: 'sdk.size', notMeasured: why ?? 'it could not be bundled' }];
      failed.push(`${name} (${why})`);
    }
  }
  const { broadsheet = Number.NaN, ky, ...peers } = sizes;
  const oneFile = await gzipped(programs['broadsheet'] ?? '', `${root}bench`, false);
  const others = Object.entries(peers).map(([name, kilobytes]) => `${name} ${kilobytes.toFixed(1)}`);
  return [
    {
      id: 'sdk.size',
      ours: broadsheet,
      ...(ky !== undefined && { reference: ky }),
      note: `reference: plain ky; ${others.join(', ')}${failed.length > 0 ? `; not bundled: ${failed.join(', ')}` : ''}`,
    },
    { id: 'sdk.size-one-file', ours: oneFile },
  ];
}

/** The size of what is loaded before the program runs, without chunks that are loaded only when a call fails. */
function gzipped(contents: string, resolveDir: string, splitting = true): Promise<number> {
  const ours = contents.replace("'@broadsheet/sdk'", `'${root}packages/sdk/src/index.ts'`);
  return initialSize(ours, resolveDir, ['@broadsheet/source'], splitting);
}
