import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { bodyOf, openSite, type Site } from '../../../tools/testing/site.ts';

export interface Received {
  readonly messageId: string;
  readonly type: string;
  readonly post: string;
  /** The oldest title that any server showed when the request arrived. */
  readonly shown: number;
}

export interface Receiver {
  readonly site: Site;
  readonly received: Received[];
  readonly servers: { readonly url: string }[];
  /** Statuses of the next responses, or no response because the connection is cut; 204 afterwards. */
  readonly responses: (number | 'cut')[];
  secret: string;
}

/** A receiver that verifies requests with the library of the standard, and requests the post from every server. */
export async function openReceiver(apiKey: string): Promise<Receiver> {
  const servers: Receiver['servers'] = [];
  const received: Received[] = [];
  const responses: Receiver['responses'] = [];
  const titleOf = async (url: string, post: string) => {
    const response = await fetch(`${url}/public/posts/${post}`, { headers: { 'X-API-Key': apiKey } }).catch(() => null);
    // A server that was stopped shows nothing.
    return response?.ok ? Number((await response.json()).data.title) : Number.POSITIVE_INFINITY;
  };
  const site = await openSite(async (request, response) => {
    const body = await bodyOf(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const event = new Webhook(receiver.secret).verify(body, headers) as { type: string; data: { id: string } };
    const shown = Math.min(...(await Promise.all(servers.map(({ url }) => titleOf(url, event.data.id)))));
    const status = responses.shift() ?? 204;
    if (status === 'cut') return void request.socket.destroy();
    if (status < 300)
      received.push({ messageId: headers['webhook-id'] ?? '', type: event.type, post: event.data.id, shown });
    response.writeHead(status).end(status < 300 ? undefined : 'not now');
  });
  onTestFinished(() => site.close());
  const receiver: Receiver = { site, received, servers, responses, secret: '' };
  return receiver;
}

/** The requests about a post, each message once. */
export const about = (received: readonly Received[], post: string): Received[] => [
  ...new Map(received.filter((each) => each.post === post).map((each) => [each.messageId, each])).values(),
];
