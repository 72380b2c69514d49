import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import { adName, type Person, type ServerStore } from '@broadsheet/management';
import type { BlogRecord } from '@broadsheet/store';
import type { Numbers } from '../figures/numbers.ts';

/** A request of a signed-in person, with what every page needs. */
export interface Visit {
  readonly person: Person;
  readonly session: string;
  /** Formats numbers and dates for the language of the reader. */
  readonly numbers: Numbers;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly url: URL;
  /** The origin of the server as the reader knows it, without a trailing slash. */
  readonly origin: string;
  /** The blogs that the person has access to; on a page about one blog, only that one. */
  readonly blogs: readonly BlogRecord[];
  /** The blog of the page, if it is about one. */
  readonly blog?: BlogRecord;
}

export type BlogVisit = Visit & { readonly blog: BlogRecord };

export const mayManage = ({ person }: Pick<Visit, 'person'>): boolean => person.role === 'manage';

/** Whether the person manages all blogs, and therefore also people. */
export const mayManageAll = (visit: Pick<Visit, 'person'>): boolean => mayManage(visit) && visit.person.blogId === null;

export const panelPath = (...parts: readonly string[]): string =>
  ['/panel', ...parts.map((part) => encodeURIComponent(part))].join('/');

/** Writes what the person just did to the log; `what` is a sentence without its subject. */
export async function logChange(store: ServerStore, { person, blog, now }: Visit, what: string): Promise<void> {
  await store.writeLog({ at: new Date(now).toISOString(), who: person.name, blogId: blog?.id ?? null, what });
}

/** The name of a post, an ad or a campaign in the log and on a page. */
export function named(thing: SnapshotAd | SnapshotCampaign | { readonly id: string; readonly title: string }): string {
  if ('format' in thing) return `“${adName(thing)}”`;
  return `“${'sponsor' in thing ? thing.name : thing.title.trim() || thing.id}”`;
}

/** A secret of 256 random bits, for a sign-in link or a session. */
export const newPanelToken = (): string => randomBytes(32).toString('base64url');

/** The token that a form must contain, bound to the session and to the path of the form. */
export function formToken(session: string, path: string): string {
  return createHash('sha256').update(`form\n${session}\n${path}`).digest('base64url');
}

export function isFormToken(given: unknown, session: string, path: string): boolean {
  const expected = Buffer.from(formToken(session, path));
  const received = Buffer.from(typeof given === 'string' ? given : '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
