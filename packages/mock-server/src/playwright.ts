import type { Mock } from './worlds/mock.ts';
import type { World } from './worlds/world.ts';

/**
 * The part of Playwright's `Page` or `BrowserContext` that is used here.
 *
 * @example
 * ```ts
 * const mocked = (page: Routable) => routeWorld(page, mock, world);
 * ```
 */
export interface Routable {
  route(
    url: string | RegExp | ((url: URL) => boolean),
    handler: (route: MockedRoute) => Promise<void>,
  ): Promise<unknown>;
}

/**
 * The part of Playwright's `Route` that is used here.
 *
 * @example
 * ```ts
 * const method = (route: MockedRoute) => route.request().method();
 * ```
 */
export interface MockedRoute {
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

/**
 * Answers the API inside a Playwright page from a world of the test process: no server, no port.
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
