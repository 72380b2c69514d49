import type { Target, Task } from '../calls/task.ts';
import { errorOf } from '../errors/failure.ts';
import type { Settings } from '../settings.ts';
import type { Incoming } from './incoming.ts';
import { inspect } from './inspect.ts';
import { lazily } from './lazily.ts';
import { type Payload, readAnswer } from './read-answer.ts';

/** The payload of the answer from `url`; a promise of it when what is odd about the answer has to be found out first. */
export function understand(
  { options, reported, redact }: Settings,
  task: Task,
  endpoint: Target,
  url: string,
  answer: Incoming,
): Payload | Promise<Payload> {
  // A success of something that the client does not know may have no words.
  if (task.id === 'request' && answer.text === '' && answer.status < 300) return { data: undefined, meta: undefined };
  const reading = readAnswer(endpoint, answer);
  const { payload } = reading;
  const { id } = task;
  if (!payload) {
    return lazily(() => import('./failed-answer.ts')).then(({ failedAnswer }) => {
      const text = redact(answer.text);
      // The runtime's own message quotes a piece of the text, maybe half of a key.
      const cause = text === answer.text ? reading.cause : reading.cause && new SyntaxError('not valid JSON');
      const requested = { id, path: endpoint.path, url, redact };
      throw errorOf(failedAnswer(requested, { ...answer, text }, reading.body, cause));
    });
  }
  if (id === 'request') return payload;
  const { validate = options.validate ?? 'report', onDrift = options.onDrift, logger = options.logger } = task.options;
  const watch = { validate, onDrift, logger, reported, redact };
  return inspect(watch, id, endpoint, payload, url, answer)?.then(() => payload) ?? payload;
}
