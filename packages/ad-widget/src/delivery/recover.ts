import { advise } from '../advice/advice.ts';
import { backOff } from './backoff.ts';
import { mayRepeat, statusOf } from './delivery-error.ts';

/** What to do after a delivery that failed. */
interface Recovery {
  /** Whether ads for its slots are requested again after the wait. */
  readonly again: boolean;
  /** Whether nothing is requested until then. */
  readonly paused: boolean;
  /** For the event: `blocked` when something in the browser stops the API. */
  readonly reason: string | Promise<string | undefined>;
}

/**
 * @param cause What the transport rejected with, or a host that nothing can be drawn into.
 * @param resume Called when the wait is over.
 */
export function recover(baseUrl: string, cause: unknown, resume: () => void): Recovery {
  if (cause instanceof Element) {
    const reason = `no ad can be drawn into <${cause.localName}>: use a <div> or <broadsheet-slot>, in a browser with constructed style sheets`;
    console.warn(`broadsheet: ${reason}`);
    return { again: false, paused: false, reason };
  }
  const again = mayRepeat(cause);
  const paused = again || !statusOf(cause);
  if (paused) backOff(resume, cause, resume);
  return { again, paused, reason: advise(baseUrl, cause) };
}
