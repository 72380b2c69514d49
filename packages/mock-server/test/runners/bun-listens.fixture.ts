import { createMock, TRANSPORT_FAULTS } from '@broadsheet/mock-server';

// Prints as JSON what a client receives over HTTP for each transport fault.
const mock = createMock();
const server = await mock.listen();
const seen: Record<string, string> = {};
for (const fault of TRANSPORT_FAULTS) {
  mock.main.fail('tags.list', fault, { times: 1 });
  const gone = new AbortController();
  try {
    const response = await fetch(`${server.url}/public/tags`, {
      signal: gone.signal,
      headers: { 'X-API-Key': mock.main.apiKey },
    });
    const text = response.text();
    if (fault === 'stall') gone.abort();
    if (fault === 'drip') mock.main.clock.advance('1m');
    seen[fault] = await text.then(
      (body) => `${response.headers.get('content-type')} ${body.length}`,
      () => 'broken',
    );
  } catch {
    seen[fault] = 'no response';
  }
}
await server.close();
console.log(JSON.stringify(seen));
