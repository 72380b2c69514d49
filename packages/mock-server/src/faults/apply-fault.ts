import { type ApiCall, ApiError, type Around, type BlogApi, buffered } from '@broadsheet/core';
import type { BodyStream } from '../doors/answer.ts';
import type { OpenEntry } from '../journal/journal.ts';
import { signalsOf, type WorldContext } from '../worlds/world-context.ts';

/** Applies to each call the delay of its endpoint and the fault that matches it. */
export function applyFaults(context: WorldContext, rehearsal: () => BlogApi): Around<BodyStream> {
  const { faults, journal } = context;
  return (call, next) => {
    const entry = journal.entryOf(call);
    return entry && faults.rules.length > 0 ? apply(entry, call, next) : next();
  };

  async function apply(entry: OpenEntry, call: ApiCall, next: Parameters<Around<BodyStream>>[1]) {
    const signals = signalsOf(context, call);
    // Loaded only once a fault is set: a page should not load code that it does not use.
    const { alter, chooseFault, detailsOf } = await import('./choose-fault.ts');
    const { effect, after } = (await chooseFault(context, entry, signals)) ?? { effect: {} };
    const { code, transport, answer } = effect;
    entry.fault = code ?? transport ?? (answer && 'answer');
    const done = after ? await next() : undefined;
    if (code) throw new ApiError(code, detailsOf(effect));
    if (!transport && !answer) return done ?? next();
    const sent = async () => buffered(done ?? (await (transport ? rehearsal().repeat(call) : next())));
    return alter(effect, sent, { context, entry, signals });
  }
}
