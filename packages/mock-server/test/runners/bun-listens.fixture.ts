import { createMock, DISRUPTIONS } from '@broadsheet/mock-server';

// Prints as JSON what a client receives over HTTP for each disruption.
const mock = createMock();
const server = await mock.listen();
const seen: Record<string, string> = {};
for (const disruption of DISRUPTIONS) {
  mock.main.disrupt('tags.list', disruption, { times: 1 });
  const gone = new AbortController();
  try {
    const answer = await fetch(`${server.url}/public/tags`, {
      signal: gone.signal,
      headers: { 'X-API-Key': mock.main.apiKey },
    });
    const text = answer.text();
    if (disruption === 'stall') gone.abort();
    if (disruption === 'drip') mock.main.clock.advance('1m');
    seen[disruption] = await text.then(
      (body) => `${answer.headers.get('content-type')} ${body.length}`,
      () => 'broken',
    );
  } catch {
    seen[disruption] = 'no answer';
  }
}
await server.close();
console.log(JSON.stringify(seen));
