import { expect, test } from 'vitest';
import { createFactories } from '../src/data/factories.ts';
import { createMock } from '../src/node.ts';
import { visit } from './support/visit.ts';

const READER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

function magazine() {
  const mock = createMock();
  const [ad] = createFactories().stored.ad.list(1, { format: 'POPUP', campaignId: 'spring' });
  const campaigns = [{ id: 'spring', sponsor: 'Ink', name: 'Spring', goal: { impressions: 3 } }];
  const blog = { name: 'B', campaigns, ads: ad ? [ad] : [] };
  const world = mock.world({ blog });
  const deliver = async (userAgent: string, from = world) => {
    const response = await visit(from).send('/public/ads/formats/POPUP', { headers: { 'User-Agent': userAgent } });
    return (await response.json()) as { filled: boolean; id: string; clickToken: string };
  };
  return { mock, blog, world, deliver };
}

test('ads for a bot do not count towards the goal of a campaign', async () => {
  const { world, deliver } = magazine();
  for (let delivery = 0; delivery < 3; delivery += 1) expect((await deliver(BOT)).filled).toBe(true);
  const filled = [];
  for (let delivery = 0; delivery < 4; delivery += 1) filled.push((await deliver(READER)).filled);
  expect(filled).toEqual([true, true, true, false]);
  expect(world.tokens.issued).toHaveLength(6);
});

test('a beacon is counted regardless of its key, as on a server', async () => {
  const { mock, blog, world, deliver } = magazine();
  const other = mock.world({ blog });
  for (const key of [undefined, world.apiKey, other.apiKey, 'nobody']) {
    const { id, clickToken } = await deliver(READER, other);
    const headers: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
    const before = other.ad(id).viewable;
    const init = { method: 'POST', headers, body: clickToken };
    expect((await mock.fetch(`${mock.baseUrl}/measure/viewable`, init)).status).toBe(204);
    if (other.ad(id).viewable === before) expect.unreachable(`the key ${key} was not accepted`);
    other.reset();
  }
  expect(world.journal).toEqual([]);
});
