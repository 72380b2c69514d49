/** A live API, and how to reach it. */
export interface LiveApi {
  /** The part of the URL before `/public/...`. */
  readonly url: string;
  readonly apiKey: string;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Sends a request to a live API. Redirects are not followed, so that the key is not sent to another host.
 *
 * @throws Error when nothing responds, or the API redirects or refuses the key
 */
export async function requestLive(
  { url, apiKey, fetch = globalThis.fetch }: LiveApi,
  path: string,
  body?: object,
): Promise<Response> {
  if (!URL.canParse(url)) throw new Error(`expected an absolute URL such as https://api.example, received ${url}`);
  const headers = { 'X-API-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) };
  const init = { headers, redirect: 'manual' as const, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
  const response = await fetch(`${url.replace(/\/$/, '')}/public${path}`, init).catch((error: Error) => {
    const reason = error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
    throw new Error(`nothing responds at ${url} (${reason})`, { cause: error });
  });
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    const location = response.headers.get('location');
    const to = location === null ? 'elsewhere' : `to ${new URL(location, url).href}`;
    throw new Error(`${url} redirects ${to}; the key is not sent there: use the URL of the API itself`);
  }
  if (response.status === 401)
    throw new Error(`${url} does not accept the key; pass an API key of the blog with --api-key`);
  return response;
}
