import { CORS } from '@broadsheet/core';
import type { WorldAnswer, WorldRequest } from '../../doors/answer.ts';
import type { InnerMock } from '../../worlds/mock.ts';
import type { InnerWorld, World } from '../../worlds/world.ts';
import { COMMANDS, type CommandName } from '../commands.ts';
import { formInput } from './form-input.ts';
import { mockPage } from './mock-page.ts';
import { POLICY } from './policy.ts';

/** What the page does with the mock, as the control plane does it. */
export interface PageActions {
  readonly baseUrl: string;
  make(input: unknown): World;
  run(world: InnerWorld, command: CommandName, input: unknown): unknown;
}

const HEADERS = {
  ...CORS,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  // The page and the JSON share an address.
  vary: 'Accept',
};

/** Answers with the page of a mock. What its forms send is done, and the browser goes back to the page. */
export async function answerPage(
  mock: InnerMock,
  request: WorldRequest,
  { baseUrl, make, run }: PageActions,
): Promise<WorldAnswer> {
  const key = new URL(request.url).searchParams.get('world') ?? mock.main.apiKey;
  const world = mock.worlds.get(key) ?? mock.worlds.get('');
  if (!world) throw new Error('the mock has no main world');
  const page = (status: number, complaint?: string): WorldAnswer => {
    const gone = mock.worlds.has(key) ? undefined : `There is no world with the key ${key}: this is main.`;
    return { status, headers: HEADERS, body: mockPage({ mock, baseUrl, world, complaint: complaint ?? gone }) };
  };
  if (request.method === 'GET' || request.method === 'HEAD') return page(200);
  try {
    const bytes = await request.body(Number.POSITIVE_INFINITY);
    const { command, input } = formInput(new URLSearchParams(new TextDecoder().decode(bytes)));
    return seeOther(after(command, input)?.apiKey ?? world.apiKey);
  } catch (error) {
    return page(400, error instanceof Error ? error.message : String(error));
  }

  /** Does what a form says. @returns the world to show next, where it is another */
  function after(command: string, input: object): { readonly apiKey: string } | undefined {
    if (command === 'world') return make(input);
    if (command === 'drop') {
      mock.drop(world as InnerWorld);
      return mock.main;
    }
    if (!Object.hasOwn(COMMANDS, command)) throw new RangeError(`${command} is no command`);
    run(world as InnerWorld, command as CommandName, input);
    return undefined;
  }
}

const seeOther = (key: string): WorldAnswer => ({
  status: 303,
  headers: { ...CORS, location: `/__mock?world=${encodeURIComponent(key)}` },
  body: null,
});
