import { createHash, timingSafeEqual } from 'node:crypto';
import type { Actor } from '@broadsheet/management';
import type { BlogRecord, Person } from '@broadsheet/store';
import type { Context, Hono } from 'hono';
import { useRequestContext } from 'hono/jsx-renderer';
import type { Numbers } from '../figures/numbers.ts';
import type { PanelOptions } from '../panel-options.ts';
import type { FormFields, Problems, Sent } from './sent.ts';

/** A request of a signed-in person, with what every page needs. */
export interface Visit {
  readonly person: Person;
  readonly session: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly url: URL;
  /** The origin of the server as the reader knows it, without a trailing slash. */
  readonly origin: string;
  /** The form whose response is this page. */
  readonly sent?: Sent | undefined;
  /** The blog of the page, if it is about one. */
  readonly blog?: BlogRecord;
}

export type BlogVisit = Visit & { readonly blog: BlogRecord };

/** The variables that the middleware sets for the pages. */
export interface PanelEnv {
  /** The form whose response is this page. */
  Bindings: { readonly sent?: Sent };
  Variables: {
    visit: Visit;
    blogVisit: BlogVisit;
    /** Formats numbers and dates for the language of the reader. */
    numbers: Numbers;
    /** The texts and lines that are updated while the page is open, by their names. */
    live?: Map<string, string>;
    form: FormFields;
    /** Shows the page of the form again, with its problems. */
    again?: (problems: Problems, status: number) => Promise<Response>;
  };
}

export type PanelContext = Context<PanelEnv>;
/** Adds some pages of the panel, and the forms on them. */
export type Routes = (app: Hono<PanelEnv>, options: PanelOptions) => void;

/** The visit of the page that is rendered. Components read it here instead of passing it as a prop. */
export const currentVisit = (): Visit => useRequestContext<PanelEnv>().get('visit');
export const currentBlogVisit = (): BlogVisit => useRequestContext<PanelEnv>().get('blogVisit');
export const currentNumbers = (): Numbers => useRequestContext<PanelEnv>().get('numbers');
/** The URL of the page that is rendered. */
export const currentUrl = (): URL => new URL(useRequestContext().req.url);

/** Whether the person may change what the page shows. */
export const mayManage = ({ person }: Pick<Visit, 'person'> = currentVisit()): boolean => person.role === 'manage';

/** Whether the person manages all blogs, and therefore also people. */
export const mayManageAll = (visit: Pick<Visit, 'person'> = currentVisit()): boolean =>
  mayManage(visit) && visit.person.blogId === null;

/** A person as a command sees them; people with view-only access are refused before. */
export const actorOf = (visit: Visit): Actor => ({
  name: visit.person.name,
  scope: 'all',
  blogId: visit.person.blogId,
  isOperator: mayManageAll(visit),
});

export const panelPath = (...parts: readonly string[]): string =>
  ['/panel', ...parts.map((part) => encodeURIComponent(DOTS.test(part) ? `~${part}` : part))].join('/');

// A URL cannot contain these segments: parsers resolve them, encoded or not.
const DOTS = /^~*\.{1,2}$/;

/** The text that {@link panelPath} wrote as a part of a path. */
const pathPart = (part = ''): string => (part.startsWith('~') && DOTS.test(part) ? part.slice(1) : part);

/** The id in the URL of a page; every page reads its ids here. */
export const partOf = (c: PanelContext, name: string): string => pathPart(c.req.param(name));

/** A path below the blog of the page that is rendered. */
export const blogPath = (...parts: readonly string[]): string => panelPath(currentBlogVisit().blog.id, ...parts);

/** The token that a form must contain, bound to the session and to the path of the form. */
export function formToken(session: string, path: string): string {
  return createHash('sha256').update(`form\n${session}\n${path}`).digest('base64url');
}

export function isFormToken(given: unknown, session: string, path: string): boolean {
  const expected = Buffer.from(formToken(session, path));
  const received = Buffer.from(typeof given === 'string' ? given : '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
