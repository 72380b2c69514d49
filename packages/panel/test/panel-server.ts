import type { Clock } from '@broadsheet/core';
import { createServer, type RunningServer } from '@broadsheet/http';
import type { Person, SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { pino } from 'pino';
import { createOperators } from '../../server/src/operators/operators.ts';
import { formToken } from '../src/access/visit.ts';

/** A blog with an ad of every state and a post of every status. */
export const NEWS = {
  id: 'news',
  name: 'The News',
  apiKeys: ['news-key'],
  categories: [{ id: 'c', name: 'City' }],
  posts: [
    {
      id: 'p1',
      title: 'Out already',
      slug: 'out',
      publishedAt: '2026-01-01T00:00:00.000Z',
      content: '# Hello\n\n*there*',
      categoryIds: ['c'],
    },
    {
      id: 'p2',
      title: 'On Friday',
      slug: 'friday',
      status: 'SCHEDULED' as const,
      scheduledAt: '2099-01-02T09:00:00.000Z',
    },
    { id: 'p3', title: 'Half done', slug: 'half', status: 'DRAFT' as const },
  ],
  campaigns: [{ id: 'spring', sponsor: 'Leaves & Co', name: 'Spring', goal: { impressions: 1000 } }],
  ads: [
    {
      id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      format: 'BANNER' as const,
      title: 'Tea',
      content: 'Leaves and time',
      linkUrl: 'https://tea.example/',
      linkText: 'Drink',
    },
    { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3302', format: 'SIDEBAR' as const, title: 'Coffee', active: false },
    {
      id: '3f2504e0-4f89-41d3-9a0c-0305e82c3303',
      format: 'BANNER' as const,
      title: 'Cocoa',
      startsAt: '2099-01-01T00:00:00.000Z',
    },
    {
      id: '3f2504e0-4f89-41d3-9a0c-0305e82c3304',
      format: 'BANNER' as const,
      title: 'Ice',
      endsAt: '2020-01-01T23:59:59.999Z',
    },
  ],
};
export const OTHER = {
  id: 'secret',
  name: 'Secret magazine',
  ads: [{ id: '3f2504e0-4f89-41d3-9a0c-0305e82c3309', format: 'BANNER' as const, title: 'Undisclosed' }],
  campaigns: [{ id: 'undisclosed', sponsor: 'Undisclosed', name: 'Undisclosed' }],
  posts: [{ id: 'undisclosed', title: 'Undisclosed', slug: 'undisclosed' }],
};

export const MANAGER: Person = { name: 'Ada', role: 'manage', blogId: null };
export const VIEWER: Person = { name: 'Vera', role: 'view', blogId: 'news' };
export const ONE_BLOG: Person = { name: 'Ben', role: 'manage', blogId: 'news' };

/** A server with the panel, its log, and functions to sign in and send requests. */
export interface PanelServer extends RunningServer {
  readonly store: SqlStore;
  /** All lines of its log. */
  readonly logged: string[];
  /** Every request that it received. */
  readonly requests: Request[];
  /** Invites and signs in a person without a browser; returns the session. */
  session(person: Person): Promise<string>;
  /** Sends a request in a session, by default with the origin and the token that a browser would send. */
  ask(session: string | undefined, path: string, options?: AskOptions): Promise<Response>;
}

export interface AskOptions {
  /** Fields of a form; with them the request is a POST. */
  readonly form?: Readonly<Record<string, string | File>>;
  readonly origin?: string | null;
  readonly token?: string | null;
  readonly signal?: AbortSignal;
}

/** Starts a server with its own store over a database. */
export async function startPanel(url: string, clock?: Clock): Promise<PanelServer> {
  const store = await openStore(url);
  const logged: string[] = [];
  const requests: Request[] = [];
  const log = pino({ level: 'debug' }, { write: (text: string) => void logged.push(text) });
  const operators = createOperators({ store, log, clock });
  const server = await createServer({
    store,
    port: 0,
    log,
    ...operators,
    extraRoutes: (request, caller) => {
      requests.push(request.clone());
      return operators.extraRoutes(request, caller);
    },
  });
  let invited = 0;
  return {
    ...server,
    store,
    logged,
    requests,
    async session(person) {
      invited += 1;
      const link = `link-${invited}-${person.name}`;
      await store.invitePerson(person, link, (clock ?? Date).now());
      const response = await fetch(`${server.url}/panel/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: server.url },
        body: new URLSearchParams({ invitation: link }),
      });
      return /broadsheet-panel=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';
    },
    ask(session, path, { form, origin = server.url, token, ...init } = {}) {
      // If a body is refused before it has arrived, its connection is closed, which Node's fetch, unlike a browser,
      // would use again.
      const headers = new Headers({ Connection: 'close' });
      if (session !== undefined) headers.set('Cookie', `broadsheet-panel=${session}`);
      if (!form) return fetch(server.url + path, { headers, redirect: 'manual' });
      if (origin !== null) headers.set('Origin', origin);
      const body = new FormData();
      const right = formToken(session ?? '', new URL(path, server.url).pathname);
      if (token !== null) body.set('token', token ?? right);
      for (const [name, value] of Object.entries(form)) body.set(name, value);
      return fetch(server.url + path, { method: 'POST', headers, body, redirect: 'manual', ...init });
    },
    async close() {
      await server.close();
      await operators.close();
      await store.close();
    },
  };
}
