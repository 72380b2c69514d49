import { createRequire } from 'node:module';
import { http } from 'msw2';
import { setupServer } from 'msw2/node';
import { afterAll, vi } from 'vitest';
import { provideMsw } from '../src/doors/msw.ts';
import { createMock } from '../src/node.ts';
import { handlersSuite } from './support/msw-suite.ts';

// MSW 2 has two builds: the mock requires one, as it does in a user's project, and the test imports the other.
provideMsw(createRequire(import.meta.url)('msw2'));
// Other files of this worker find their own MSW.
afterAll(() => void vi.resetModules());

const mock = createMock({ baseUrl: 'https://api.example/v1' });
const server = setupServer(...(mock.handlers() as unknown as Parameters<typeof setupServer>));
handlersSuite(mock, {
  listen: () => server.listen({ onUnhandledRequest: 'error' }),
  use: (path, respond) => server.use(http.get(path, ({ request }) => respond(request))),
  resetHandlers: () => server.resetHandlers(),
  close: () => server.close(),
});
