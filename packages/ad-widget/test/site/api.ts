import { bodyOf, openSite, type Site } from '../../../../tools/testing/site.ts';
import type { SlotRequest, SlotResult } from '../../src/delivery/creative.ts';

export const KEY = 'the-key';
/** Where viewable ads are reported. */
export const VIEWABLE = '/measure/viewable';

/** The two endpoints that the widget calls, on an origin of their own, and the requests they received. */
export interface Api extends Site {
  /** Tokens of the clicks that were counted. */
  readonly clicks: string[];
  /** Impressions: ads it delivered. */
  delivered: number;
  /** Requests such as `POST /public/ads/formats`, without queries, including preflights. */
  readonly requests: string[];
  /** The idempotency keys of deliveries, one for each request that arrived. */
  readonly keys: string[];
  /** Whether it counts deliveries with the same key once and sends `Idempotency-Accepted`. */
  idempotent?: boolean;
  /** The delay of a preflight response, in milliseconds. */
  preflight: number;
  /** The origin whose clicks it refuses with 403. */
  refuseOrigin?: string | undefined;
  /** Returns 503, with `Retry-After` if it is given. */
  unavailable?: { readonly retryAfter?: string } | undefined;
  /** Counts impressions, and cuts the connection instead of responding; or responds with this status, as a gateway. */
  lost?: boolean | number;
  /** The `Retry-After` of the responses of that gateway. */
  retryAfter?: string | undefined;
  /** Cuts every connection before it has read a request, like a server that is down. */
  down?: boolean;
  /** Counts impressions, and never responds to deliveries for a slot of this name. */
  stalls?: string;
  /** Names a path for reports of viewable ads, as a Broadsheet server does. */
  countsViewable?: boolean;
  /** Tokens of the ads that were reported as viewable. */
  readonly viewable: string[];
  /** Forgets the keys that it has seen. */
  forget(): void;
  /** Sends no `Access-Control-Allow-Origin`, so that no page may read its responses. */
  closed?: boolean;
  /** Replaces fields of the result for a slot, which is a filled ad by default. */
  respond: (slot: SlotRequest) => Partial<SlotResult>;
}

/** @param linkUrl The URL that its ads link to. */
export async function serveApi(linkUrl: string): Promise<Api> {
  let counter = 0;
  const clicks: string[] = [];
  const requests: string[] = [];
  const keys: string[] = [];
  const viewable: string[] = [];
  const replays = new Map<string, string>();
  const site = await openSite(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api');
    if (api.down) return void request.socket.destroy();
    const key = searchParams.get('idempotencyKey') ?? '';
    requests.push(`${request.method} ${pathname}`);
    if (!api.closed) response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'X-API-Key, Content-Type');
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After, Idempotency-Accepted, Broadsheet-Viewable');
    if (request.method === 'OPTIONS') return void setTimeout(() => response.writeHead(204).end(), api.preflight);
    // As on a Broadsheet server: /healthz needs no key, and the other paths have no HEAD.
    if (request.method === 'HEAD') return void response.writeHead(pathname === '/healthz' ? 200 : 405).end();
    if (api.unavailable) {
      const { retryAfter } = api.unavailable;
      if (retryAfter) response.setHeader('Retry-After', retryAfter);
      return void response.writeHead(503).end('{}');
    }
    if (pathname === VIEWABLE) {
      viewable.push(...(await bodyOf(request)).split('\n'));
      return void response.writeHead(204).end();
    }
    if (api.idempotent) response.setHeader('Idempotency-Accepted', 'true');
    if (pathname === '/public/ads/tracking/impression') return void response.end('{"status":"ok"}');
    const message: { clickToken?: string; slots?: SlotRequest[] } = JSON.parse(await bodyOf(request));
    response.setHeader('Content-Type', 'application/json');
    if (request.headers['x-api-key'] !== KEY) return void response.writeHead(401).end('{}');
    if (message.clickToken) {
      if (request.headers.origin === api.refuseOrigin) return void response.writeHead(403).end('{}');
      // As in the API, a token counts once. When a page is left, it may send a click again that has already arrived.
      if (clicks.includes(message.clickToken)) return void response.writeHead(409).end('{}');
      clicks.push(message.clickToken);
      return void response.end('{"status":"ok"}');
    }
    keys.push(key);
    if (api.countsViewable) response.setHeader('Broadsheet-Viewable', VIEWABLE);
    const replay = api.idempotent ? replays.get(key) : undefined;
    const isStalled = message.slots?.some(({ slotId }) => slotId === api.stalls);
    if (replay && !api.lost && !isStalled) return void response.end(replay);
    const results = (message.slots ?? []).map((slot) => ({
      ...slot,
      filled: true,
      id: '3b241101-e2bb-4255-8caf-4136c566a962',
      title: 'An ad',
      content: 'with words '.repeat(30),
      linkText: 'Read more',
      linkUrl,
      clickToken: `token-${++counter}`,
      ...api.respond(slot),
    }));
    if (!replay) api.delivered += results.filter(({ filled }) => filled).length;
    const body = replay ?? JSON.stringify(results);
    replays.set(key, body);
    if (isStalled) return;
    if (api.retryAfter) response.setHeader('Retry-After', api.retryAfter);
    if (typeof api.lost === 'number') response.writeHead(api.lost).end('<h1>Gateway Timeout</h1>');
    else if (api.lost) request.socket.destroy();
    else response.end(body);
  });
  const forget = () => replays.clear();
  const api: Api = {
    ...site,
    clicks,
    requests,
    keys,
    viewable,
    forget,
    delivered: 0,
    preflight: 0,
    respond: () => ({}),
  };
  return api;
}
