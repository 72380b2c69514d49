import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IMAGE_LIMITS, type Image } from '@broadsheet/core';
import { type CommandName, fileName, mediaUrl, OperationError, readImage, whyTestWaits } from '@broadsheet/management';
import type { Attempt } from '@broadsheet/store';
import { toBase64 } from '@broadsheet/store';
import { type CommandFlags, notePublicUrl, publicUrlOf, type Run } from '../database/database.ts';

/** The context of a step of the command line. */
export interface StepContext {
  readonly run: Run;
  readonly blog: string;
  readonly flags: CommandFlags;
}

type TypedArguments = Readonly<Record<string, unknown>>;

/**
 * Work that the command line does around a command, because it needs files of this machine or has to wait.
 *
 * @param send runs the command with these arguments
 * @returns the result that is printed
 */
export type ClientStep = (
  context: StepContext,
  args: TypedArguments,
  send: (args: TypedArguments) => Promise<unknown>,
) => Promise<unknown>;

/** Printed links begin with the URL at which people reach the server. */
const withPublicUrl: ClientStep = ({ flags }, args, send) => send({ url: publicUrlOf(flags), ...args });

/**
 * Milliseconds to wait for a process that sends webhooks, and for the requests in flight and the test itself to finish.
 */
const SENDER_WAIT = 4000;
const TEST_WAIT = 40_000;
const POLL = 200;

/** The server sends a test, so this waits for the response of its receiver. */
const withResponse: ClientStep = async ({ run, blog }, args, send) => {
  const { message: sent } = (await send(args)) as { readonly message: string };
  const began = performance.now();
  for (;;) {
    const { hooks, messages, isSending } = await run('hooks.list', blog, {});
    const attempt = messages.find(({ id }) => id === sent)?.attempts[0];
    if (attempt) return responseOf(attempt);
    const waited = performance.now() - began;
    const hook = hooks.find(({ id }) => id === args['hook']);
    if (!hook || waited > TEST_WAIT || (waited > SENDER_WAIT && !isSending)) {
      const why = hook ? whyTestWaits(isSending) : 'The webhook was deleted.';
      throw new OperationError(`The test was not sent within ${Math.round(waited / 1000)} seconds. ${why}`);
    }
    await sleep(POLL);
  }
};

/** @throws OperationError unless the receiver accepted the request */
function responseOf(attempt: Attempt): Attempt {
  const { status = 0, text, duration } = attempt;
  if (status >= 200 && status < 300) return attempt;
  throw new OperationError(`The test failed after ${duration} ms: ${[status || '', text].join(' ').trim()}`);
}

/** An image that is a file is sent with the ad, which gets its URL. */
const withImage: ClientStep = async ({ flags }, args, send) => {
  const { imageUrl: typed } = args;
  const image = typeof typed === 'string' ? await readFileOf(typed) : undefined;
  if (!image) return send(args);
  const publicUrl = publicUrlOf(flags);
  notePublicUrl(publicUrl);
  return send({ ...args, imageUrl: mediaUrl(publicUrl, image), image: toBase64(image.bytes) });
};

/** An ad without a title is named after its image file. */
const nameOf = ({ title, imageUrl }: TypedArguments): object =>
  title === undefined && typeof imageUrl === 'string' && !URL_SCHEME.test(imageUrl) ? { name: fileName(imageUrl) } : {};

const URL_SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** The image in a file; `undefined` for a URL. @throws OperationError */
async function readFileOf(typed: string): Promise<Image | undefined> {
  const found = await stat(typed).catch(() => undefined);
  if (!found?.isFile()) {
    if (URL_SCHEME.test(typed)) return undefined;
    const message = `there is no file ${JSON.stringify(typed)}; the URL of an image begins with https://`;
    throw new OperationError([{ at: 'imageUrl', message }]);
  }
  if (found.size <= 2 * IMAGE_LIMITS.bytes) return readImage(new Uint8Array(await readFile(typed)), basename(typed));
  throw new OperationError([{ at: 'imageUrl', message: `${typed} exceeds the size limit for images` }]);
}

/** Refuses an edit that has no argument except for the id of its item. */
const changing =
  (step: ClientStep): ClientStep =>
  (context, args, send) => {
    if (Object.keys(args).length > 1) return step(context, args, send);
    throw new OperationError('Nothing to change: use at least one of the flags that --help lists.');
  };

/** The steps, by command. */
export const CLIENT_STEPS = {
  'ads.add': (context, args, send) => withImage(context, { ...nameOf(args), ...args }, send),
  'ads.edit': changing(withImage),
  'campaigns.edit': changing((_, args, send) => send(args)),
  'campaigns.report': withPublicUrl,
  'hooks.test': withResponse,
  'panel.invite': withPublicUrl,
} satisfies Partial<Record<CommandName, ClientStep>>;
