// The reference: bare node:http, which sends the headers and body given as JSON in its first argument.
import { createServer } from 'node:http';

const { headers, body } = JSON.parse(process.argv[2] ?? '{}');
const bytes = Buffer.from(body, 'utf8');
const head = { ...headers, 'content-length': String(bytes.length) };

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(200, head).end(bytes);
    return;
  }
  request.on('data', () => {});
  request.on('end', () => response.writeHead(200, head).end(bytes));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
process.on('SIGTERM', () => process.exit(0));
