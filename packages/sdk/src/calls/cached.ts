import type { Origin, ResponseCache } from '../cache/response-cache.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import { tryRead } from '../errors/errors.ts';
import type { Incoming } from '../response/incoming.ts';
import { callHook } from './call-hook.ts';
import type { Outgoing } from './outgoing.ts';
import { runOption } from './run-option.ts';
import type { Work } from './shared.ts';

/** Reads through the cache of the caller, which may be code of the caller, too. */
export const readThrough = (cache: ResponseCache, outgoing: Outgoing, work: Work, origin: Origin): Promise<Incoming> =>
  runOption('cache', outgoing.id, work, async () => needResponse(await cache.read(outgoing, origin)));

/** The response that the cache gives instead of a failure. It is asked once per call, and its own errors do not matter. */
export function recover(outgoing: Outgoing, error: BroadsheetError): Incoming | undefined {
  const { cache, task } = outgoing;
  if (!cache?.recover || task.old) return undefined;
  const old = callHook('cache.recover', () => cache.recover?.(outgoing, error), undefined);
  return callHook('cache.recover', () => old && needResponse(old), undefined);
}

function needResponse(value: Incoming): Incoming {
  const isResponse = tryRead(
    () => typeof value.text === 'string' && value.status >= 0 && typeof value.headers.get === 'function',
  );
  if (isResponse) return value;
  throw new TypeError('it must return a response with status, headers and text');
}
