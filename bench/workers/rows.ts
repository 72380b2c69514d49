import { fileURLToPath } from 'node:url';
import { fetchAlone } from '../../tools/testing/workerd.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { batch } from '../server/batch.ts';
import { BLOG, KEY, startDeployment } from './deployment.ts';

const EVENTS = 50;

/** Rows that one object writes for a delivery and for a click, which are billed. */
export async function rows({ say }: BenchOptions): Promise<Finding[]> {
  say('rows of a Durable Object');
  const deployment = await startDeployment(fileURLToPath(new URL('counting.fixture.ts', import.meta.url)));
  const send = async (path: string, headers: Readonly<Record<string, string>>, body?: string) => {
    const init = body === undefined ? {} : { method: 'POST', body };
    const own = { 'x-api-key': KEY, 'content-type': 'application/json', ...headers };
    const response = await fetchAlone(new Request(deployment.url + path, { ...init, headers: own }));
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
    return response.json();
  };
  const counted = async (work: (index: number) => Promise<unknown>) => {
    // The first run writes extra rows, such as the placements of the day.
    await work(EVENTS);
    await send('/', { 'x-test': 'rows' });
    for (let index = 0; index < EVENTS; index += 1) await work(index);
    const { read, written } = (await send('/', { 'x-test': 'rows' })) as { read: number; written: number };
    return { read: read / EVENTS, written: written / EVENTS };
  };
  try {
    // The first impression of an ad on a day writes an index, too.
    for (let index = 0; index < EVENTS; index += 1) await send('/public/ads/formats', {}, batch);
    const single = await counted(() => send('/public/ads/formats/BANNER', {}));
    const four = await counted(() => send('/public/ads/formats', {}, batch));
    const deliveries = (await send('/public/ads/formats', {}, batch)) as { clickToken: string }[];
    const tokens = [...deliveries];
    while (tokens.length <= EVENTS)
      tokens.push(...((await send('/public/ads/formats', {}, batch)) as typeof deliveries));
    const click = await counted((index) => {
      const headers = { 'cf-connecting-ip': `192.0.2.${index + 1}` };
      return send('/public/ads/tracking/click', headers, JSON.stringify({ clickToken: tokens[index]?.clickToken }));
    });
    const read = await counted(() => send('/public/posts?limit=10', {}));
    const said = (of: { read: number; written: number }) => `${of.read} read, ${of.written} written`;
    return [
      {
        id: 'workers.delivery-rows',
        ours: single.written,
        note: `a delivery: ${said(single)}; a batch of four: ${said(four)}; ten cached posts: ${said(read)}`,
      },
      { id: 'workers.click-rows', ours: click.written, note: `a click from a batch: ${said(click)}; blog ${BLOG}` },
    ];
  } finally {
    await deployment.stop();
  }
}
