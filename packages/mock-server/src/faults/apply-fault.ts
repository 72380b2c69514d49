import { ApiError, buffered, type CallResponse } from '@broadsheet/core';
import type { SeededRandom } from '../data/random.ts';
import type { BodyStream, WorldResponse } from '../doors/response.ts';
import type { OpenEntry } from '../journal/journal.ts';
import type { WorldContext } from '../worlds/world-context.ts';
import type { FaultEffect, FaultRule, TransportFault } from './fault.ts';

/** A call that a fault may apply to. */
interface FaultyCall {
  readonly context: WorldContext;
  readonly entry: OpenEntry;
  readonly signals: readonly AbortSignal[];
  /** Responds as the API does, with every effect. */
  respond(): Promise<CallResponse<BodyStream>>;
  /** Responds as the API would, without an effect. */
  rehearse(): Promise<WorldResponse>;
}

/** Delays a call, and then fails, breaks or changes it by the latest fault that applies to it. */
export async function applyFault(call: FaultyCall): Promise<CallResponse<BodyStream>> {
  const { context, entry, respond, rehearse } = call;
  const rule = await chooseFault(call);
  const effect = rule?.effects[rule.hits % rule.effects.length] ?? {};
  if (rule) rule.hits += 1;
  const { code, transport, answer } = effect;
  entry.fault = code ?? transport ?? (answer && 'answer');
  const done = rule?.options.after ? await respond() : undefined;
  if (code) throw new ApiError(code, detailsOf(effect));
  if (transport) return breakInTransit(transport, async () => (done ? buffered(done) : rehearse()), call);
  if (!answer) return done ?? respond();
  const { changeAnswer } = await import('../lenses/change-response.ts');
  return changeAnswer(answer, buffered(await respond()), { entry, report: context.journal.offContract });
}

/** Delays a call, and chooses the latest fault that applies to it. */
async function chooseFault({ context, entry, signals }: FaultyCall): Promise<FaultRule | undefined> {
  const { faults, clock, faultRandom } = context;
  const matching = faults.filter((rule) => matches(rule, entry));
  // `nth` also counts the calls that another fault is applied to.
  for (const rule of matching) rule.matched += 1;
  const delay = matching.findLast(({ by }) => by === 'delay');
  if (delay) {
    const [from, to] = delay.effects[0]?.latency ?? [0, 0];
    delay.hits += 1;
    await clock.sleep(from + faultRandom.below(to - from + 1), signals);
  }
  return matching.findLast((candidate) => candidate.by !== 'delay' && isDue(candidate, faultRandom));
}

/** Whether a call meets the conditions of a fault. */
function matches({ target, lifted, options }: FaultRule, entry: OpenEntry): boolean {
  if (lifted || (target !== '*' && target !== entry.endpoint)) return false;
  const { id, when } = options;
  if (id !== undefined && !Object.values(entry.params ?? {}).includes(id)) return false;
  return !when || (typeof when === 'function' ? when(entry) : hasValues(entry, when));
}

/** Whether a value contains every value of a pattern. */
function hasValues(value: unknown, pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return Object.is(value, pattern);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(pattern).every(([name, part]) => hasValues((value as Record<string, unknown>)[name], part));
}

/** Whether a fault applies to this one of the calls that match it. */
function isDue({ hits, matched, options }: FaultRule, random: SeededRandom): boolean {
  const { nth, p = 1, times = Number.POSITIVE_INFINITY } = options;
  if (hits >= times || (nth !== undefined && ![nth].flat().includes(matched))) return false;
  return p === 1 || random.below(1e6) < p * 1e6;
}

/** The details of an error besides its code. */
function detailsOf({ code, message }: FaultEffect): ApiError['details'] {
  return {
    ...(message && { message }),
    ...(code === 'VALIDATION_ERROR' && {
      fields: [{ field: 'mock', message: 'mock: failed on request', code: 'custom' }],
    }),
    ...(code === 'RATE_LIMITED' && { headers: { 'retry-after': '1' } }),
  };
}

/** Lets a page read the response of a proxy. Without CORS, the page would only see a network error. */
const CORS = { 'access-control-allow-origin': '*' };
const PAGE = '<!doctype html><title>Welcome to hotel Wi-Fi</title><p>Please sign in to continue.</p>';

/** Responses that do not come from the API. */
const FOREIGN: { readonly [F in TransportFault]?: WorldResponse } = {
  reset: { status: 0, headers: {}, body: null },
  html: { status: 200, headers: { ...CORS, 'content-type': 'text/html' }, body: PAGE },
  empty: { status: 200, headers: { ...CORS, 'content-type': 'application/json' }, body: '' },
};

/** Breaks a response in transit. */
async function breakInTransit(
  fault: TransportFault,
  respond: () => Promise<WorldResponse>,
  call: FaultyCall,
): Promise<WorldResponse> {
  const foreign = FOREIGN[fault];
  if (foreign) return foreign;
  const whole = await respond();
  if (whole.body === null || whole.body instanceof ReadableStream) return whole;
  const bytes = typeof whole.body === 'string' ? new TextEncoder().encode(whole.body) : whole.body;
  const half = bytes.slice(0, Math.ceil(bytes.length / 2));
  const { 'content-length': _, ...headers } = whole.headers;
  const sent = (body: WorldResponse['body'], more = {}) => ({ ...whole, headers: { ...headers, ...more }, body });
  if (fault === 'wrong-type') return sent(bytes, { 'content-type': 'text/plain' });
  if (fault === 'truncate') return sent(half);
  // It declares the full length; otherwise the response would look complete.
  if (fault === 'cut') return sent(stream(cut(half)), { 'content-length': String(bytes.byteLength) });
  return sent(stream(fault === 'drip' ? drip(bytes, call) : stall(half, call)));
}

async function* cut(half: Uint8Array): AsyncGenerator<Uint8Array> {
  yield half;
  await nextTask();
  throw new TypeError('terminated: the connection was cut', { cause: { code: 'ECONNRESET' } });
}

async function* stall(half: Uint8Array, { context: { clock }, signals }: FaultyCall): AsyncGenerator<Uint8Array> {
  yield half;
  await clock.sleep(Number.POSITIVE_INFINITY, signals);
}

const DRIPS = 8;
const DRIP_EVERY = 1000;

async function* drip(bytes: Uint8Array, { context: { clock }, signals }: FaultyCall): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / DRIPS));
  const start = clock.now();
  for (let at = 0; at < bytes.length; at += size) {
    // Each chunk has its own time, so that one advance of the clock can release all of them.
    await clock.sleep(start + (at / size) * DRIP_EVERY - clock.now(), signals);
    yield bytes.slice(at, at + size);
  }
}

/** Waits for the next task, so that the first half is sent. Does not use a timer, which a test may have faked. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** `ReadableStream.from`, which Chromium and Safari lack. */
function stream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
