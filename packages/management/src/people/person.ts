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
