import type { MessagePort } from 'node:worker_threads';

/** What the thread of the panel is started with. */
export interface ThreadOptions {
  readonly databaseUrl: string;
  readonly publicUrl: string | undefined;
}

type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request on its way to the thread; the port is that of its body. */
export interface RequestMessage {
  readonly id: number;
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: MessagePort | undefined;
}

/** The answer on its way back. */
export interface AnswerMessage {
  readonly id: number;
  readonly answer: { readonly status: number; readonly headers: HeaderList; readonly body: MessagePort | undefined };
}

/** What the thread has to log. */
export interface LogMessage {
  readonly level: 'info' | 'error';
  readonly fields: object;
  readonly message: string;
}
