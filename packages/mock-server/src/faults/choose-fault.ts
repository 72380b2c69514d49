import type { ApiError } from '@broadsheet/core';
import type { SeededRandom } from '../data/random.ts';
import type { WorldResponse } from '../doors/response.ts';
import type { OpenEntry } from '../journal/journal.ts';
import type { WorldContext } from '../worlds/world-context.ts';
import { breakInTransit } from './break-in-transit.ts';
import type { FaultEffect, FaultRule } from './fault-rule.ts';

/** What to do to one call. */
interface ChosenFault {
  readonly effect: FaultEffect;
  /** Applied to the response, after the request took effect. */
  readonly after?: boolean | undefined;
}

/** Delays a call, and chooses the latest fault that applies to it. */
export async function chooseFault(
  { faults, clock, faultRandom }: WorldContext,
  entry: OpenEntry,
  signals: readonly AbortSignal[],
): Promise<ChosenFault | undefined> {
  const matching = faults.filter((rule) => matches(rule, entry));
  // `nth` also counts the calls that another fault is applied to.
  for (const rule of matching) rule.matched += 1;
  const delay = matching.findLast(({ by }) => by === 'delay');
  if (delay) {
    const [from, to] = delay.effects[0]?.latency ?? [0, 0];
    delay.hits += 1;
    await clock.sleep(from + faultRandom.below(to - from + 1), signals);
  }
  const rule = matching.findLast((candidate) => candidate.by !== 'delay' && isDue(candidate, faultRandom));
  const effect = rule?.effects[rule.hits % rule.effects.length];
  if (!rule || !effect) return undefined;
  rule.hits += 1;
  return { effect, after: rule.options.after };
}

/** Changes or breaks the response of the API. */
export async function alter(
  { answer: change, transport }: FaultEffect,
  sent: () => Promise<WorldResponse>,
  { context, entry, signals }: { context: WorldContext; entry: OpenEntry; signals: readonly AbortSignal[] },
): Promise<WorldResponse> {
  if (change) {
    const { changeAnswer } = await import('../lenses/late.ts');
    return changeAnswer(change, await sent(), { entry, report: context.offContract });
  }
  return transport ? breakInTransit(transport, sent, { clock: context.clock, signals }) : sent();
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
export function detailsOf({ code, message }: FaultEffect): ApiError['details'] {
  return {
    ...(message && { message }),
    ...(code === 'VALIDATION_ERROR' && {
      fields: [{ field: 'mock', message: 'mock: failed on request', code: 'custom' }],
    }),
    ...(code === 'RATE_LIMITED' && { headers: { 'retry-after': '1' } }),
  };
}
