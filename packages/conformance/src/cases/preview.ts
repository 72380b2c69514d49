import type { Post } from '@broadsheet/contract';
import { MESSAGES } from '@broadsheet/contract/schemas';
import { anyToken, click } from '../deliver.ts';
import { equal, holds, present } from '../expect.ts';
import { failure } from '../failure.ts';
import { type RequestOptions, send, type TargetResponse } from '../send.ts';
import { conforms } from '../shapes.ts';
import { envelope, readSearch } from '../success.ts';
import { section, type Target } from '../target.ts';
import { forgeries } from './click-tokens.ts';
import { words } from './methods.ts';

const previewed = section({ section: 'decided', needs: ['snapshot', 'preview'] });
const timed = section({ section: 'decided', needs: ['snapshot', 'preview', 'clock'] });
const counted = section({ section: 'decided', effect: 'counts', needs: ['snapshot', 'preview'] });

const STATUSES = { 'hidden-draft': 'DRAFT', 'hidden-scheduled': 'SCHEDULED', 'post-01': 'PUBLISHED' } as const;
const PATH = '/preview/post';
const HOUR = 3_600_000;

const tokenOf = async (target: Target, id: string): Promise<string> =>
  present(target.preview, 'a way to create tokens')(id);

const open = (target: Target, token: string, options: RequestOptions = {}): Promise<TargetResponse> =>
  send(target, PATH, { key: null, ...options, headers: { Authorization: `Bearer ${token}` } });

/** The preview of a post (DESIGN.md 3): a token opens one post of any status. */
export const previewCases = [
  previewed('a preview token opens its post, regardless of its status, without an API key', async (target) => {
    for (const [id, status] of Object.entries(STATUSES)) {
      const response = await open(target, await tokenOf(target, id));
      const { data } = envelope<Post>(response);
      conforms(MESSAGES.preview.data, data, `preview of ${id}`);
      equal([data.id, data.status], [id, status], 'id and status');
      equal(response.headers.get('cache-control'), 'no-store', 'Cache-Control');
      equal(response.headers.get('etag'), null, 'ETag');
    }
  }),
  previewed('a preview is what readers get of the post once it is published', async (target) => {
    const { data } = envelope<Post>(await open(target, await tokenOf(target, 'post-01')));
    equal(data, envelope<Post>(await send(target, '/public/posts/post-01')).data, 'the post');
  }),
  previewed('a preview can also be read with the key of its blog, and ignores If-None-Match', async (target) => {
    const token = await tokenOf(target, 'hidden-draft');
    equal((await open(target, token, { key: target.apiKey })).status, 200, 'with the key');
    const headers = { Authorization: `bearer ${token}`, 'If-None-Match': '*' };
    equal((await send(target, PATH, { key: null, headers })).status, 200, 'with If-None-Match');
    const head = await open(target, token, { method: 'HEAD' });
    equal([head.status, head.text], [200, ''], 'HEAD');
    const twice = [await open(target, token), await open(target, token)];
    equal(twice[0]?.text, twice[1]?.text, 'a token opens its post any number of times');
  }),
  previewed('no API key opens a preview', async (target) => {
    failure(await send(target, PATH), 'UNAUTHORIZED');
    failure(await send(target, PATH, { key: null }), 'UNAUTHORIZED');
    failure(await open(target, target.apiKey), 'UNAUTHORIZED');
    failure(await open(target, target.apiKey, { key: target.apiKey }), 'UNAUTHORIZED');
    failure(await send(target, `${PATH}?id=hidden-draft&token=x`), 'UNAUTHORIZED');
  }),
  previewed('a preview token opens nothing but its post', async (target) => {
    const token = await tokenOf(target, 'hidden-draft');
    const headers = { Authorization: `Bearer ${token}` };
    for (const path of ['/public/posts/hidden-draft', '/public/posts/slug/hidden-draft']) {
      failure(await send(target, path, { headers }), 'NOT_FOUND');
      failure(await send(target, path, { headers, key: null }), 'UNAUTHORIZED');
      failure(await send(target, path, { key: token }), 'UNAUTHORIZED');
    }
    failure(await send(target, '/public/posts', { headers, key: null }), 'UNAUTHORIZED');
    equal((await readSearch(target, 'q=quixotic', { headers })).data, [], 'what a search finds');
    failure(await send(target, `${PATH}?token=${token}`, { key: null }), 'UNAUTHORIZED');
  }),
  previewed('a preview token that was tampered with is 401', async (target) => {
    const token = await tokenOf(target, 'hidden-draft');
    const forged = [...forgeries(token, await tokenOf(target, 'post-01')), 'x', '..'];
    for (const one of forged) failure(await open(target, one), 'UNAUTHORIZED');
    for (const Authorization of [token, `Basic ${token}`, 'Bearer', `Bearer ${token} ${token}`])
      failure(await send(target, PATH, { key: null, headers: { Authorization } }), 'UNAUTHORIZED');
  }),
  previewed('a preview token with the key of another blog is 401', async (target) => {
    const token = await tokenOf(target, 'post-01');
    failure(await open(target, token, { key: target.otherKey ?? '' }), 'UNAUTHORIZED');
  }),
  counted('a click token is not a preview token, and a preview token is not a click token', async (target) => {
    failure(await open(target, await anyToken(target)), 'UNAUTHORIZED');
    failure(await click(target, await tokenOf(target, 'post-01')), 'CLICK_TOKEN_INVALID');
  }),
  previewed('a preview may be read from a page of any origin', async (target) => {
    const Origin = 'https://site.example';
    const asked = { Origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' };
    const preflight = await send(target, PATH, { method: 'OPTIONS', key: null, headers: asked });
    equal(preflight.status, 204, 'status of the preflight');
    const allowed = words(preflight.headers.get('access-control-allow-headers'));
    for (const name of ['authorization', 'x-api-key']) holds(allowed.includes(name), `${name} is allowed`);
    const response = await open(target, await tokenOf(target, 'hidden-draft'));
    equal(response.headers.get('access-control-allow-origin'), '*', 'Access-Control-Allow-Origin');
  }),
  timed('a preview token expires after 24 hours, without leeway', async (target) => {
    const token = await tokenOf(target, 'hidden-draft');
    await target.clock?.advance(24 * HOUR - 2_000);
    equal((await open(target, token)).status, 200, 'status after almost 24 hours');
    await target.clock?.advance(3_000);
    failure(await open(target, token), 'UNAUTHORIZED');
  }),
];
