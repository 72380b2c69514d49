import type { Image } from '@broadsheet/core';
/** What a person may do in the panel: change things, or only view them. */
export const ROLES = ['manage', 'view'] as const;
export type Role = (typeof ROLES)[number];

/** A person who may sign in to the panel. */
export interface Person {
  /** The name, which is also the id. */
  readonly name: string;
  readonly role: Role;
  /** The only blog that they see; `null` for all blogs. */
  readonly blogId: string | null;
}

/** A person in the list of people. */
export interface PersonRecord extends Person {
  readonly invitedAt: string;
  /** The number of browsers in which they are signed in. */
  readonly sessions: number;
  /** Whether a sign-in link of theirs is still unused. */
  readonly invited: boolean;
}

/** One change that a person made. */
export interface LogEntry {
  readonly at: string;
  /** The name of a person, or `command line`. */
  readonly who: string;
  /** The blog that was changed; `null` for a change that concerns all blogs. */
  readonly blogId: string | null;
  /** The change, as a sentence without a subject: `paused the ad "Tea"`. */
  readonly what: string;
}

/** Which entries of the log are read. */
export interface LogQuery {
  /** Only entries of this blog. */
  readonly blogId?: string | undefined;
  /** Only entries with this text in `who` or `what`, ignoring case. */
  readonly search?: string | undefined;
  /** Newest first by default. */
  readonly oldestFirst?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Content that was uploaded and awaits confirmation. */
export interface Upload {
  readonly name: string;
  readonly content: string;
  /** Its images, which nobody else can see before the confirmation; see {@link imageUpload}. */
  readonly images?: readonly Image[];
}

/** The name under which an image of an upload is stored, as base64. */
export const imageUpload = (upload: string, hash: string): string => `${upload} ${hash}`;

/** Milliseconds for which a sign-in link is valid. */
export const INVITATION_LIFE = 60 * 60 * 1000;
/** Milliseconds for which a browser stays signed in. */
export const SESSION_LIFE = 30 * 24 * 60 * 60 * 1000;
