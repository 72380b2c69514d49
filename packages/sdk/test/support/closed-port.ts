import { createServer } from 'node:net';

/** The URL of a port on which no server listens any longer. */
export function closedPort(): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(`http://127.0.0.1:${port}`));
    });
  });
}
