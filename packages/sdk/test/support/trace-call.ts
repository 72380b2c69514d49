import { Session } from 'node:inspector/promises';
import { createClient } from '@broadsheet/sdk';
import { samplePosts } from './samples.ts';

// Prints, as JSON, the files of this repository through which one warm list call passes, each with its functions.

const body = JSON.stringify({ success: true, data: samplePosts(0, 10) });
const headers = { 'content-type': 'application/json' };
const fetch = async (): Promise<Response> => new Response(body, { headers });
const blog = createClient({ baseUrl: 'https://blog.example', apiKey: 'key', fetch });
for (let warm = 0; warm < 3; warm += 1) await blog.posts.list();

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
await blog.posts.list();
const { result } = await session.post('Profiler.takePreciseCoverage');

const files: Record<string, string[]> = {};
for (const { url, functions } of result) {
  const [, path] = /\/packages\/((?:sdk|contract)\/src\/.*)$/.exec(url) ?? [];
  // The first range of a function has the number of its calls. The engine makes a function of the fields of a class.
  const called = functions
    .filter(({ ranges: [whole], functionName }) => whole?.count && functionName !== '<instance_members_initializer>')
    .map(({ functionName }) => functionName || '(anonymous)');
  if (path && called.length > 0) files[path] = called;
}
console.log(JSON.stringify(files, undefined, 2));
