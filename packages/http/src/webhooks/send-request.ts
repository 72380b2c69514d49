import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { HookRequest, SendRequest } from '@broadsheet/store';
import ipaddr from 'ipaddr.js';

/** Milliseconds that a receiver has to respond. */
const TIMEOUT = 15_000;
/** The number of characters of a response that are stored. */
const KEPT = 500;

interface SendOptions {
  /** Whether to send to addresses that are not public, which only this machine or its network can reach. */
  readonly allowPrivate: boolean;
  readonly lookup?: typeof systemLookup;
}

/** Sends requests of webhooks. Redirects are not followed, and only public addresses are connected to by default. */
export function createSendRequest({ allowPrivate, lookup = systemLookup }: SendOptions): SendRequest {
  // The connection is made to the addresses that were checked, so a name cannot resolve to others in between.
  const publicLookup: LookupFunction = (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const refused = error ? undefined : addresses.find(({ address }) => !isPublic(address));
      const problem = error ?? (refused && new Error(refusal(`${host} (${refused.address})`)));
      if (problem) return callback(problem, []);
      const [first] = addresses;
      if (options.all || !first) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  return (url, request) => {
    const { protocol, hostname } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    if (!allowPrivate && isIP(host) && !isPublic(host)) return Promise.reject(new Error(refusal(host)));
    const send = protocol === 'https:' ? requestHttps : requestHttp;
    return exchange(request, (signal) =>
      send(url, {
        method: 'POST',
        agent: false,
        headers: request.headers,
        signal,
        ...(!allowPrivate && { lookup: publicLookup }),
      }),
    );
  };
}

const refusal = (host: string): string =>
  `${host} is not a public address; start the server with ALLOW_PRIVATE_WEBHOOKS=1 to send to it`;

/** Whether an address belongs to the public internet; transition mechanisms that embed another address do not. */
function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

async function exchange(
  { body, signal }: HookRequest,
  open: (signal: AbortSignal) => ReturnType<typeof requestHttp>,
): ReturnType<SendRequest> {
  const timeout = AbortSignal.timeout(TIMEOUT);
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<SendRequest>>>();
  const request = open(AbortSignal.any([signal, timeout]));
  request.on('error', (error) =>
    reject(timeout.aborted ? new Error(`no response within ${TIMEOUT / 1000} seconds`) : error),
  );
  request.on('response', (response) => {
    const { statusCode: status = 0, headers } = response;
    let text = status >= 300 && status < 400 ? `Redirects are not followed: ${headers.location}\n` : '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      text += part;
      if (text.length >= KEPT) response.destroy();
    });
    // The status counts, even if the rest of the response never arrives.
    response.on('error', () => {});
    response.on('close', () => resolve({ status, text: text.slice(0, KEPT).toWellFormed() }));
  });
  request.end(body);
  return promise;
}
