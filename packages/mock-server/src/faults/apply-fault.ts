import { ERRORS, type ErrorCode } from '@broadsheet/contract';
import { FAILURES } from '@broadsheet/contract/failures';
import type { ApiCall, ApiError, BlogApi, buffered, CallAnswer } from '@broadsheet/core';
import type { SeededRandom } from '../data/random.ts';
import type { BodyStream } from '../doors/answer.ts';
import type { OpenCall } from '../journal/journal.ts';
import type { InnerClock } from '../time/clock.ts';
import type { Latency, milliseconds } from '../time/duration.ts';
import { disrupt } from './disrupt.ts';
import type { FaultOptions, Profile, Target } from './fault.ts';
import type { FaultEffect, FaultRule } from './fault-book.ts';
import { PROFILES } from './profiles.ts';

/** What a fault needs of its world. What others import as well is handed in, so that a page loads it once. */
export interface FaultContext {
  readonly clock: InnerClock;
  readonly chance: SeededRandom;
  rehearsal(): BlogApi;
  readonly milliseconds: typeof milliseconds;
  readonly ApiError: typeof ApiError;
  readonly buffered: typeof buffered;
}

/** A call on its way to the API. */
export interface FaultyCall {
  readonly call: ApiCall;
  readonly signal: AbortSignal;
  readonly entry: OpenCall;
  next(): Answer | Promise<Answer>;
}

type Answer = CallAnswer<BodyStream>;

/** Answers a call over the network that is set for it, and by the first fault that is meant for it. */
export async function applyFault(
  rules: readonly FaultRule[],
  faulty: FaultyCall,
  context: FaultContext,
): Promise<Answer> {
  const { clock, chance } = context;
  const network = networkFor(rules, faulty.entry);
  if (network) {
    network.hits += 1;
    const { latency = 0, p, status, disruption } = profileOf(network) ?? {};
    await clock.sleep(drawn(latency, context), faulty.signal);
    if ((status ?? disruption) && happens(p, chance)) return answerWith({ status, disruption }, {}, faulty, context);
  }
  const rule = rules.find((candidate) => !profileOf(candidate) && isDue(candidate, faulty.entry, chance));
  if (!rule) return faulty.next();
  const effect = rule.effects[rule.hits % rule.effects.length] ?? {};
  rule.hits += 1;
  return answerWith(effect, rule.options, faulty, context);
}

/** The network set last for the endpoint, or else for all of them. */
function networkFor(rules: readonly FaultRule[], { endpoint }: OpenCall): FaultRule | undefined {
  const networks = rules.filter(profileOf);
  // One that was lifted does not bring back the one before.
  const set = (on: Target) => [networks.find(({ target }) => target === on)].find((rule) => rule && !rule.lifted);
  return set(endpoint) ?? set('*');
}

function profileOf({ effects: [effect] }: FaultRule): Profile | undefined {
  return typeof effect?.profile === 'string' ? PROFILES[effect.profile] : effect?.profile;
}

function drawn(latency: Latency, { chance, milliseconds }: FaultContext): number {
  const [from, to = from] = [latency].flat().map(milliseconds) as [number, number?];
  return from + chance.below(to - from + 1);
}

async function answerWith(
  { disruption, status, code, message }: FaultEffect,
  { after }: FaultOptions,
  { call, signal, entry, next }: FaultyCall,
  { clock, rehearsal, ApiError, buffered }: FaultContext,
): Promise<Answer> {
  // 200 is a step of a sequence that lets the call pass.
  const failing = status === undefined || status === 200 ? undefined : (code ?? codeOf(entry, status));
  entry.fault = failing ?? disruption;
  const done = after ? await next() : undefined;
  if (failing) throw new ApiError(failing, detailsOf(failing, message));
  if (!disruption) return done ?? next();
  return disrupt(disruption, async () => buffered(done ?? (await rehearsal().repeat(call))), { clock, signal });
}

function isDue(rule: FaultRule, entry: OpenCall, chance: SeededRandom): boolean {
  const { target, lifted, hits, options } = rule;
  const { id, when, nth, p, times = Number.POSITIVE_INFINITY } = options;
  if (lifted || hits >= times || (target !== '*' && target !== entry.endpoint)) return false;
  if (id !== undefined && !Object.values(entry.params ?? {}).includes(id)) return false;
  if (when && !when(entry)) return false;
  rule.matched += 1;
  if (nth !== undefined && ![nth].flat().includes(rule.matched)) return false;
  return happens(p, chance);
}

const happens = (p = 1, chance: SeededRandom): boolean => p === 1 || chance.below(1e6) < p * 1e6;

/** The code a status stands for at an endpoint: the first of several. */
function codeOf({ endpoint }: OpenCall, status: number): ErrorCode {
  const codes = FAILURES[endpoint];
  return codes.find((code) => ERRORS[code].status === status) ?? 'INTERNAL_ERROR';
}

function detailsOf(code: ErrorCode, message: FaultEffect['message']): ApiError['details'] {
  return {
    ...(message && { message }),
    ...(code === 'VALIDATION_ERROR' && {
      fields: [{ field: 'mock', message: 'mock: failed on request', code: 'custom' }],
    }),
    ...(code === 'RATE_LIMITED' && { headers: { 'retry-after': '1' } }),
  };
}
