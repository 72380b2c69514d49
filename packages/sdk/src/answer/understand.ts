import type { Endpoint } from '@broadsheet/contract';
import type { Task } from '../calls/task.ts';
import type { Settings } from '../settings.ts';
import type { Incoming } from './incoming.ts';
import { inspect } from './inspect.ts';
import { lazily } from './lazily.ts';
import { type Payload, readAnswer } from './read-answer.ts';

/** The payload of the answer from `url`; a promise of it when what is odd about the answer has to be found out first. */
export function understand(
  settings: Settings,
  task: Task,
  endpoint: Endpoint,
  url: string,
  answer: Incoming,
): Payload | Promise<Payload> {
  const { apiKey, options, reported } = settings;
  // A server that echoes the key must not get it into an error.
  const clean = answer.text.includes(apiKey) ? { ...answer, text: answer.text.replaceAll(apiKey, '[key]') } : answer;
  const reading = readAnswer(endpoint, clean);
  const { payload } = reading;
  if (!payload) {
    return lazily(() => import('./failed-answer.ts')).then(({ failedAnswer }) => {
      throw failedAnswer({ id: task.id, path: endpoint.path, url }, clean, reading.body, reading.cause);
    });
  }
  const requestId = answer.headers.get('x-request-id') ?? undefined;
  const { validate = options.validate ?? 'report', onDrift = options.onDrift } = task.options;
  return (
    inspect({ validate, onDrift, reported }, task.id, endpoint, payload, requestId)?.then(() => payload) ?? payload
  );
}
