import type { ApiError } from '@broadsheet/core';
import type { SeededRandom } from '../data/random.ts';
import type { WorldAnswer } from '../doors/answer.ts';
import type { OpenEntry } from '../journal/journal.ts';
import type { WorldContext } from '../worlds/world-context.ts';
import { disrupt } from './disrupt.ts';
import type { Target } from './fault.ts';
import type { FaultEffect, FaultRule, NetworkEffect } from './fault-book.ts';

/** What to do to one call. */
interface ChosenFault {
  readonly effect: FaultEffect;
  /** Applied to the response, after the request took effect. */
  readonly after?: boolean | undefined;
}

/** Delays a call by the latency of its network, and chooses the network's failure or the latest fault that applies. */
export async function chooseFault(
  { faults, clock, faultRandom }: WorldContext,
  entry: OpenEntry,
  signal: AbortSignal,
): Promise<ChosenFault | undefined> {
  const matching = faults.rules.filter((rule) => matches(rule, entry));
  // `nth` also counts the calls that another fault is applied to.
  for (const rule of matching) rule.matched += 1;
  const network = networkFor(faults.rules, entry);
  if (network) {
    const { latency, p, ...effect } = network.effects[0] as NetworkEffect;
    const [from, to] = latency;
    network.hits += 1;
    await clock.sleep(from + faultRandom.below(to - from + 1), signal);
    if ((effect.code ?? effect.disruption) && happens(p, faultRandom)) return { effect };
  }
  const rule = matching.findLast((candidate) => isDue(candidate, faultRandom));
  const effect = rule?.effects[rule.hits % rule.effects.length];
  if (!rule || !effect) return undefined;
  rule.hits += 1;
  return { effect, after: rule.options.after };
}

/** Changes or breaks the response of the API. */
export async function alter(
  { answer: change, disruption }: FaultEffect,
  sent: () => Promise<WorldAnswer>,
  { context, entry, signal }: { context: WorldContext; entry: OpenEntry; signal: AbortSignal },
): Promise<WorldAnswer> {
  if (change) {
    const { changeAnswer } = await import('../lenses/late.ts');
    return changeAnswer(change, await sent(), { entry, report: context.offContract });
  }
  return disruption ? disrupt(disruption, sent, { clock: context.clock, signal }) : sent();
}

/** The network profile of the endpoint, or else the profile of all endpoints. */
function networkFor(rules: readonly FaultRule[], { endpoint }: OpenEntry): FaultRule | undefined {
  const set = (on: Target) => {
    const last = rules.findLast(({ by, target }) => by === 'profile' && target === on);
    // Lifting a network does not restore the previous one.
    return last?.lifted ? undefined : last;
  };
  return set(endpoint) ?? set('*');
}

/** Whether a call meets the conditions of a fault. */
function matches({ by, target, lifted, options }: FaultRule, entry: OpenEntry): boolean {
  if (by === 'profile' || lifted || (target !== '*' && target !== entry.endpoint)) return false;
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
  const { nth, p, times = Number.POSITIVE_INFINITY } = options;
  if (hits >= times || (nth !== undefined && ![nth].flat().includes(matched))) return false;
  return happens(p, random);
}

const happens = (p = 1, random: SeededRandom): boolean => p === 1 || random.below(1e6) < p * 1e6;

/** The details of an error besides its code. */
export function detailsOf({ code, message }: FaultEffect): ApiError['details'] {
  return {
    ...(message && { message }),
    ...(code === 'VALIDATION_ERROR' && {
      fields: [{ field: 'mock', message: 'mock: failed on request', code: 'custom' }],
    }),
    ...(code === 'RATE_LIMITED' && { headers: { 'retry-after': '1' } }),
  };
}
