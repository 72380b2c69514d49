import type { Endpoint } from '@broadsheet/contract';
import type { Task } from '../calls/task.ts';
import type { Settings } from '../settings.ts';
import type { Incoming } from './incoming.ts';
import { inspect } from './inspect.ts';
import { lazily } from './lazily.ts';
import { type Payload, readAnswer } from './read-answer.ts';

/** The payload of the answer from `url`; a promise of it when what is odd about the answer has to be found out first. */
export function understand(
  { options, reported, redact }: Settings,
  task: Task,
  endpoint: Endpoint,
  url: string,
  answer: Incoming,
): Payload | Promise<Payload> {
  const reading = readAnswer(endpoint, answer);
  const { payload } = reading;
  if (!payload) {
    return lazily(() => import('./failed-answer.ts')).then(({ failedAnswer }) => {
      const text = redact(answer.text);
      // The runtime's own message quotes a piece of the text, maybe half of a key.
      const cause = text === answer.text ? reading.cause : reading.cause && new SyntaxError('not valid JSON');
      throw failedAnswer({ id: task.id, path: endpoint.path, url, redact }, { ...answer, text }, reading.body, cause);
    });
  }
  const { validate = options.validate ?? 'report', onDrift = options.onDrift } = task.options;
  const watch = { validate, onDrift, reported, redact };
  return inspect(watch, task.id, endpoint, payload, url, answer)?.then(() => payload) ?? payload;
}
