import { appendFileSync, writeFileSync } from 'node:fs';

/** Milliseconds during which a command whose response was lost may still have its effect. */
export const ZOMBIE = 60_000;

/** When something began and ended: by the clock of this process, and by the clock of the servers, which the nemesis moves. */
export interface Span {
  /** Milliseconds since the start of the run. */
  readonly start: number;
  readonly end: number;
  /** Milliseconds since the epoch, by the clock of the servers. */
  readonly from: number;
  readonly to: number;
}

/**
 * The outcome of a request as the client knows it: `ok` was acknowledged, `refused` got an error of the API, and
 * `unknown` may or may not have happened.
 */
export type Outcome = 'ok' | 'refused' | 'unknown';

/** A request of a client, with what the client knows after it. */
interface SentEntry extends Span {
  readonly client: string;
  readonly blog: string;
  readonly outcome: Outcome;
  readonly status?: number | undefined;
  /** The code of the error that the API returned. */
  readonly code?: string | undefined;
  /** Whether it was sent after the last fault, when nothing may fail. */
  readonly isCalm?: boolean | undefined;
}

/** A slot that was requested, and its ad if it got one. */
export interface SlotEntry {
  readonly format: string;
  /** Absent for a delivery of a single ad. */
  readonly placement?: string | undefined;
  readonly token?: string | undefined;
}

/** A delivery and its repeats. It may be counted at most once. */
export interface DeliveryEntry extends SentEntry {
  readonly kind: 'delivery';
  readonly apiKey: string;
  readonly key?: string | undefined;
  readonly slots: readonly SlotEntry[];
  readonly note?: string | undefined;
}

export interface ClickEntry extends SentEntry {
  readonly kind: 'click';
  readonly apiKey: string;
  readonly token: string;
}

/** A report of viewable ads. */
export interface BeaconEntry extends SentEntry {
  readonly kind: 'beacon';
  readonly tokens: readonly string[];
}

/** The ways in which clients read posts; `etag` is a 304. */
export type Way = 'post' | 'list' | 'search' | 'etag';

/** A read of posts whose titles are their versions. */
export interface ReadEntry extends SentEntry {
  readonly kind: 'read';
  readonly way: Way;
  readonly apiKey: string;
  /** The versions that were read; 0 for a post that was not found. */
  readonly versions?: Readonly<Record<string, number>> | undefined;
}

/** A command of an operator, and what it changes. */
export interface CommandEntry extends Span {
  readonly kind: 'command';
  readonly blog: string;
  readonly name: string;
  readonly outcome: Outcome;
  /** The post that it changed, and its new version; 0 if readers no longer see it. */
  readonly post?: string | undefined;
  readonly version?: number | undefined;
  /** The ad that it paused, or that runs again. */
  readonly ad?: string | undefined;
  readonly isActive?: boolean | undefined;
  /** The key that it created. */
  readonly created?: string | undefined;
  /** The keys that it revoked. */
  readonly revoked?: readonly string[] | undefined;
  /** The campaign that it changed, with its new limits. */
  readonly campaign?: string | undefined;
  readonly goal?: number | undefined;
  readonly perDay?: number | undefined;
  readonly note?: string | undefined;
}

/** A webhook that a receiver got. */
export interface MessageEntry extends Span {
  readonly kind: 'message';
  readonly blog: string;
  readonly id: string;
  readonly subject: string;
  readonly type: string;
  /** When the change was made, as the message says. */
  readonly changed: number;
  /** The status with which the receiver responded. */
  readonly status: number;
}

/** Something that the nemesis did. */
export interface FaultEntry extends Span {
  readonly kind: 'fault';
  readonly what: string;
}

export type Entry = DeliveryEntry | ClickEntry | BeaconEntry | ReadEntry | CommandEntry | MessageEntry | FaultEntry;

type WithoutSpan<E> = E extends Entry ? Omit<E, keyof Span> : never;
/** The facts that are known about an entry when it ends. */
export type Happened = WithoutSpan<Entry>;

/** Everything that clients, operators, receivers and the nemesis did, in the order in which it ended. */
export class History {
  readonly entries: Entry[] = [];
  readonly #file: string | undefined;
  readonly #zero = performance.now();
  /** The maximum number of milliseconds by which the clock of the servers is ahead. */
  #ahead = 0;
  /** The minimum: while the clock is moved, a server may still have the earlier time. */
  #certainlyAhead = 0;

  /** @param file The file to which the entries are also written, one JSON object per line. */
  constructor(file?: string) {
    this.#file = file;
    if (file !== undefined) writeFileSync(file, '');
  }

  /** Milliseconds since the epoch, by the clock of the servers. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /**
   * Moves the clock of the servers. An event that begins in the meantime may have happened before or after.
   *
   * @param show sets the clocks, and resolves when no server has the earlier time
   */
  async advance(by: number, show: (ahead: number) => Promise<void>): Promise<void> {
    this.#ahead += by;
    await show(this.#ahead);
    this.#certainlyAhead = this.#ahead;
  }

  /** Begins an entry. The returned function ends it and writes it. */
  begin(): (entry: Happened) => void {
    const [start, from] = [this.#elapsed(), Date.now() + this.#certainlyAhead];
    return (happened) => {
      const entry = { ...happened, start, end: this.#elapsed(), from, to: this.now() } as Entry;
      this.entries.push(entry);
      if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
    };
  }

  #elapsed(): number {
    return Math.round((performance.now() - this.#zero) * 1000) / 1000;
  }
}
