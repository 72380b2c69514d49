import type { Mock } from '../worlds/mock.ts';
import type { World } from '../worlds/world.ts';
import { type TestWorldOptions, useTestWorld } from './test-world.ts';

/** The part of Playwright's `Page` or `BrowserContext` that is used here. */
interface Routable {
  route(url: (url: URL) => boolean, handler: (route: MockedRoute) => Promise<void>): Promise<unknown>;
}

/** The part of Playwright's `Route` that is used here. */
interface MockedRoute {
  request(): {
    url(): string;
    method(): string;
    headers(): Record<string, string>;
    postData(): string | null;
    frame(): { url(): string };
  };
  fulfill(answer: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>;
  abort(errorCode?: string): Promise<void>;
}

/** The part of Playwright's `TestInfo` that is used here. */
interface PlaywrightTest {
  readonly status?: string | undefined;
  readonly expectedStatus?: string;
}

/**
 * Answers the API requests of a Playwright page from a world in the test process, without a server or a port.
 *
 * @example
 * ```ts
 * await routeWorld(page, mock, mock.main);
 * ```
 */
export async function routeWorld(page: Routable, mock: Mock, world: World): Promise<void> {
  const { origin, pathname } = new URL(mock.baseUrl);
  const base = `${origin}${pathname.replace(/\/$/, '')}/`;
  await page.route(
    (url) => url.href.startsWith(base),
    async (route) => {
      const request = route.request();
      const body = request.postData();
      const headers = request.headers();
      if (!headers['origin'] && URL.canParse(request.frame().url()))
        headers['origin'] = new URL(request.frame().url()).origin;
      try {
        const init = { method: request.method(), headers, ...(body !== null && { body }) };
        const answer = await (headers['x-api-key'] === world.apiKey ? world.fetch : mock.fetch)(request.url(), init);
        const bytes = Buffer.from(await answer.arrayBuffer());
        await route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body: bytes });
      } catch {
        await route.abort('connectionreset');
      }
    },
  );
}

/**
 * A fixture for Playwright that gives each test its own world, which answers the API requests of its pages. It fails a
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
