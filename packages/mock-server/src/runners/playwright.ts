import { reportError } from '../doors/response.ts';
import type { Mock } from '../worlds/mock.ts';
import type { World } from '../worlds/world.ts';
import { type TestWorldOptions, useTestWorld } from './test-world.ts';

/** The part of Playwright's `Page` or `BrowserContext` that is used here. */
interface Routable {
  route(url: (url: URL) => boolean, handler: (route: MockedRoute) => Promise<void>): Promise<unknown>;
  on(event: 'requestfailed', handler: (request: MockedRequest) => void): unknown;
}

/** The part of Playwright's `Request` that is used here. */
interface MockedRequest {
  url(): string;
  method(): string;
  headers(): Record<string, string>;
  postData(): string | null;
  frame(): { url(): string };
}

/** The part of Playwright's `Route` that is used here. */
interface MockedRoute {
  request(): MockedRequest;
  fulfill(response: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>;
  abort(errorCode?: string): Promise<void>;
}

/** The part of Playwright's `TestInfo` that is used here. */
type PlaywrightTest = { readonly status?: string | undefined; readonly expectedStatus?: string };

/**
 * Handles the API requests of a Playwright page from a world in the test process, without a server or a port.
 *
 * @example
 * ```ts
 * await routeWorld(page, mock, mock.main);
 * ```
 */
export async function routeWorld(page: Routable, mock: Mock, world: World): Promise<void> {
  const pending = new WeakMap<MockedRequest, AbortController>();
  // A request that the page has aborted waits for no response.
  page.on('requestfailed', (request) => pending.get(request)?.abort());
  await page.route(
    (url) => url.href.startsWith(`${mock.baseUrl}/`),
    async (route) => {
      const request = route.request();
      const body = request.postData();
      const headers = request.headers();
      if (!headers['origin'] && URL.canParse(request.frame().url()))
        headers['origin'] = new URL(request.frame().url()).origin;
      const gone = new AbortController();
      pending.set(request, gone);
      const init = { method: request.method(), headers, signal: gone.signal, ...(body !== null && { body }) };
      const send = headers['x-api-key'] === world.apiKey ? world.fetch : mock.fetch;
      const response = await send(request.url(), init)
        .then(fulfilment)
        .catch((error: unknown) => reportError(`${request.method()} ${request.url()}`, error));
      // The page may be gone.
      await (response ? route.fulfill(response) : route.abort('connectionreset')).catch(() => undefined);
    },
  );
}

async function fulfilment(response: Response) {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/**
 * A fixture for Playwright that gives each test its own world, which handles the API requests of its pages. It fails a
 * test whose pages sent requests off the contract (unless the test calls `world.forgive()`). If a test fails or times
 * out, it reports which faults matched no request and which responses are pending. With `apiKey` every world has the
 * key that the site was built with: a worker runs its tests one after another.
 *
 * @example
 * ```ts
 * const test = base.extend<{ world: World }>({ world: worldFixture(mock, { apiKey: 'dev-key' }) });
 * test('shows a post', async ({ page, world }) => void (await page.goto('/')));
 * ```
 */
export function worldFixture(
  mock: Mock,
  options: TestWorldOptions = {},
): (
  fixtures: { readonly context: Routable },
  use: (world: World) => Promise<void>,
  info: PlaywrightTest,
) => Promise<void> {
  // Playwright reads the required fixtures from this destructuring pattern.
  return async ({ context }, use, info) => {
    await useTestWorld(
      mock,
      options,
      async (world) => {
        await routeWorld(context, mock, world);
        await use(world);
      },
      () => info.status !== info.expectedStatus,
    );
  };
}
