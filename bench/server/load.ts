// A client that is lighter than any server: keep-alive sockets with one request in flight each, without parsing the
// responses. Its first argument is a LoadPlan as JSON; it prints a LoadResult.
import { connect, type Socket } from 'node:net';
import type { LoadPlan, LoadResult } from './load-plan.ts';

const plan: LoadPlan = JSON.parse(process.argv[2] ?? '');
const { hostname, port } = new URL(plan.url);
let counter = plan.from;
let responses = 0;
let failures = 0;
const milliseconds: number[] = [];
const started = performance.now();
const end = started + plan.ms;

const fixed = `${plan.path}${plan.key}`.includes('{n}')
  ? undefined
  : Array.from({ length: plan.readers ?? 1 }, (_, reader) => Buffer.from(text(plan.path, plan.key, reader)));
const request = (): Buffer => fixed?.[counter++ % fixed.length] ?? Buffer.from(numbered());

function numbered(): string {
  const number = counter++;
  // Steps of a prime number give the keys a pseudorandom order.
  const key = plan.key.replace('{n}', String((number * 7919) % plan.modulo));
  return text(plan.path.replace('{n}', String(number % plan.modulo)), key, number % (plan.readers ?? 1));
}

function text(path: string, key: string, reader = 0): string {
  const body = plan.body ?? '';
  const headers = [`${plan.method} ${path} HTTP/1.1`, `host: ${hostname}:${port}`, `x-api-key: ${key}`];
  if (plan.readers) headers.push(`x-forwarded-for: 192.0.${reader >> 8}.${reader & 255}`);
  if (body !== '') headers.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('connect', () => send(socket));
    socket.on('close', () => resolve());
    let missing = 0;
    let head = '';
    let sent = 0;
    const send = (to: Socket): void => {
      sent = performance.now();
      to.write(request());
    };
    socket.on('data', (chunk: Buffer) => {
      let rest = chunk;
      if (missing === 0) {
        head += chunk.toString('latin1');
        const headEnd = head.indexOf('\r\n\r\n');
        if (headEnd === -1) return;
        const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
        if (length === undefined) return void socket.destroy(new Error(`no content-length: ${head.slice(0, 200)}`));
        if (!head.startsWith('HTTP/1.1 200')) failures += 1;
        missing = Number(length) + headEnd + 4;
        rest = Buffer.alloc(0);
        missing -= head.length;
        head = '';
      }
      missing -= rest.length;
      if (missing > 0) return;
      missing = 0;
      const now = performance.now();
      responses += 1;
      milliseconds.push(now - sent);
      if (now < end) send(socket);
      else socket.end();
    });
  });
}

await Promise.all(Array.from({ length: plan.connections }, open));
const seconds = (performance.now() - started) / 1000;
milliseconds.sort((a, b) => a - b);
const result: LoadResult = {
  perSecond: responses / seconds,
  responses,
  failures,
  median: milliseconds[milliseconds.length >> 1] ?? 0,
};
console.log(JSON.stringify(result));
