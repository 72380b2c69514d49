import { http } from 'msw';
import { setupServer } from 'msw/node';
import { handlersSuite } from '../../test/support/msw-suite.ts';
import { createMock } from '../node.ts';

const mock = createMock({ baseUrl: 'https://api.example/v1' });
const server = setupServer(...mock.handlers());
handlersSuite(mock, {
  listen: () => server.listen({ onUnhandledFrame: 'error' }),
  use: (path, respond) => server.use(http.get(path, ({ request }) => respond(request))),
  resetHandlers: () => server.resetHandlers(),
  close: () => server.close(),
});
