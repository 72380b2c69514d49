import type { SqlStore } from '@broadsheet/store';

/** What somebody may do in the panel: change things, or only look at them. */
export const ROLES = ['manage', 'view'] as const;
export type Role = (typeof ROLES)[number];

/** Somebody who may sign in to the panel. */
export interface Person {
  /** What they are called, and what names them. */
  readonly name: string;
  readonly role: Role;
  /** The one blog they see; `null` is all of them. */
  readonly blogId: string | null;
}

/** A person as those who manage people see them. */
export interface PersonRecord extends Person {
  readonly invitedAt: string;
  /** Browsers in which they are signed in. */
  readonly sessions: number;
  /** Whether a sign-in link of theirs is still unused. */
  readonly invited: boolean;
}

/** One change somebody made. */
export interface LogEntry {
  readonly at: string;
  /** The name of a person, or `command line`. */
  readonly who: string;
  /** The blog it was done to; `null` for what concerns all of them. */
  readonly blogId: string | null;
  /** What was done, as a sentence without a subject: `paused the ad "Tea"`. */
  readonly what: string;
}

/** Which entries of the log are read. */
export interface LogQuery {
  /** Only those of this blog. */
  readonly blogId?: string | undefined;
  /** Only those with this text in who or what, whatever the case. */
  readonly search?: string | undefined;
  /** Newest first by default. */
  readonly oldestFirst?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Content that was sent and waits for its confirmation. */
export interface Upload {
  readonly name: string;
  readonly content: string;
}

/** Milliseconds a sign-in link may be used in. */
export const INVITATION_LIFE = 60 * 60 * 1000;
/** Milliseconds content that was sent waits for its confirmation. */
export const UPLOAD_LIFE = 60 * 60 * 1000;
/** Milliseconds a browser stays signed in. */
export const SESSION_LIFE = 30 * 24 * 60 * 60 * 1000;

/**
 * Who may use the panel, and what they did. Tokens are given in plain and stored as hashes; nothing is remembered
 * between calls, so that a revoked person is signed out at the next request to any process.
 */
export interface PeopleStore {
  /** Whether anybody was invited: without people there is no panel. */
  hasPeople(): Promise<boolean>;
  listPeople(now: number): Promise<readonly PersonRecord[]>;
  /** Adds a person, or changes role and blog of the one with this name, who may sign in once with the token. */
  invitePerson(person: Person, token: string, now: number): Promise<void>;
  /** Removes a person with their sessions and links; `false` when there is nobody of this name. */
  revokePerson(name: string): Promise<boolean>;
  /** Whose link it is, if it can be used now; it stays unused. */
  findInvitation(token: string, now: number): Promise<Person | undefined>;
  /** Uses a link up and opens a session: one step, so that a link works once. `undefined` when it is used or over. */
  signIn(token: string, session: string, now: number): Promise<Person | undefined>;
  findSession(session: string, now: number): Promise<Person | undefined>;
  endSession(session: string): Promise<void>;

  /** Stores content that a session sent, for an hour; its earlier content is removed. */
  saveUpload(session: string, upload: Upload, now: number): Promise<void>;
  /** The content of this name that the session sent; `undefined` when it is too old or was replaced. */
  readUpload(session: string, name: string, now: number): Promise<string | undefined>;

  writeLog(entry: LogEntry): Promise<void>;
  /** With the number of all that match. */
  readLog(query: LogQuery): Promise<{ readonly entries: readonly LogEntry[]; readonly total: number }>;
}

/** The store of a server: its blogs, and the people who manage them in the panel. */
export interface ServerStore extends SqlStore, PeopleStore {
  /** What opens another store over the same database, in another thread too; a store in memory alone has none. */
  readonly databaseUrl?: string;
}
