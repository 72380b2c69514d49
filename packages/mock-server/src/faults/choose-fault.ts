import type { ApiError } from '@broadsheet/core';
import type { SeededRandom } from '../data/random.ts';
import type { WorldAnswer } from '../doors/answer.ts';
import type { OpenEntry } from '../journal/journal.ts';
import type { WorldContext } from '../worlds/world-context.ts';
import { disrupt } from './disrupt.ts';
import type { Target } from './fault.ts';
import type { FaultEffect, FaultRule, NetworkEffect } from './fault-book.ts';

/** What happens to one call: an effect, which may come after the request took effect. */
interface ChosenFault {
  readonly effect: FaultEffect;
  readonly after?: boolean | undefined;
}

/** Delays a call as its network does, and chooses the failure of that network or the first fault that applies. */
export async function chooseFault(
  { faults, clock, faultRandom }: WorldContext,
  entry: OpenEntry,
  signal: AbortSignal,
): Promise<ChosenFault | undefined> {
  const matching = faults.rules.filter((rule) => matches(rule, entry));
  // Also those that another fault answers: `nth` counts the calls that a fault is meant for.
  for (const rule of matching) rule.matched += 1;
  const network = networkFor(faults.rules, entry);
  if (network) {
    const { latency, p, ...effect } = network.effects[0] as NetworkEffect;
    const [from, to] = latency;
    network.hits += 1;
    await clock.sleep(from + faultRandom.below(to - from + 1), signal);
    if ((effect.status ?? effect.disruption) && happens(p, faultRandom)) return { effect };
  }
  const rule = matching.find((candidate) => isDue(candidate, faultRandom));
  const effect = rule?.effects[rule.hits % rule.effects.length];
  if (!rule || !effect) return undefined;
  rule.hits += 1;
  return { effect, after: rule.options.after };
}

/** Makes another answer of that of the API. */
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

/** The network set last for the endpoint, or else for all of them. */
function networkFor(rules: readonly FaultRule[], { endpoint }: OpenEntry): FaultRule | undefined {
  const networks = rules.filter(({ by }) => by === 'profile');
  // One that was lifted does not bring back the one before.
  const set = (on: Target) => [networks.find(({ target }) => target === on)].find((rule) => rule && !rule.lifted);
  return set(endpoint) ?? set('*');
}

/** Whether a fault is meant for a call. */
function matches({ by, target, lifted, options }: FaultRule, entry: OpenEntry): boolean {
  if (by === 'profile' || lifted || (target !== '*' && target !== entry.endpoint)) return false;
  const { id, when } = options;
  if (id !== undefined && !Object.values(entry.params ?? {}).includes(id)) return false;
  return !when || (typeof when === 'function' ? when(entry) : hasValues(entry, when));
}

/** Whether a value has those of a pattern. */
function hasValues(value: unknown, pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return Object.is(value, pattern);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(pattern).every(([name, part]) => hasValues((value as Record<string, unknown>)[name], part));
}

/** Whether it applies to this one of the calls that it is meant for. */
function isDue({ hits, matched, options }: FaultRule, random: SeededRandom): boolean {
  const { nth, p, times = Number.POSITIVE_INFINITY } = options;
  if (hits >= times || (nth !== undefined && ![nth].flat().includes(matched))) return false;
  return happens(p, random);
}

const happens = (p = 1, random: SeededRandom): boolean => p === 1 || random.below(1e6) < p * 1e6;

/** What an error says beside its code. */
export function detailsOf({ code, message }: FaultEffect): ApiError['details'] {
  return {
    ...(message && { message }),
    ...(code === 'VALIDATION_ERROR' && {
      fields: [{ field: 'mock', message: 'mock: failed on request', code: 'custom' }],
    }),
    ...(code === 'RATE_LIMITED' && { headers: { 'retry-after': '1' } }),
  };
}
