import { ApiError, type Around, type BlogApi, buffered } from '@broadsheet/core';
import { type BodyStream, requestOf } from '../doors/answer.ts';
import type { WorldContext } from '../worlds/world-context.ts';

/** Answers calls over the network that is set for them, and by the first fault that is meant for them. */
export function applyFaults(context: WorldContext, rehearsal: () => BlogApi): Around<BodyStream> {
  const { faults, journal } = context;
  return async (call, next) => {
    const entry = journal.entryOf(call);
    if (!entry || faults.rules.length === 0) return next();
    const { signal } = requestOf(call);
    // Loaded by those who set faults; a page should not load what it does not use.
    const { chooseFault } = await import('./choose-fault.ts');
    const { effect = {}, after, details, alter } = (await chooseFault(context, entry, signal)) ?? {};
    const { code, disruption } = effect;
    entry.fault = code ?? disruption ?? (effect.answer && 'answer');
    const done = after ? await next() : undefined;
    if (code) throw new ApiError(code, details);
    if (!alter) return done ?? next();
    return alter(async () => buffered(done ?? (await (disruption ? rehearsal().repeat(call) : next()))));
  };
}
