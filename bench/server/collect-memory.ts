// Preloaded into a server with `node --expose-gc --import`: collects garbage and responds with the memory that is left,
// at the port MEMORY_PORT.
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  createServer((_, response) => {
    globalThis.gc?.();
    response.end(JSON.stringify(process.memoryUsage()));
  })
    .listen(Number(process.env['MEMORY_PORT']), '127.0.0.1')
    .unref();
}
