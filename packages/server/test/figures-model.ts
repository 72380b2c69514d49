import { EXCLUDED } from '@broadsheet/core';

/** The counts for one combination of keys. */
export interface Row {
  readonly day: string;
  readonly ad: string;
  readonly campaign: string;
  readonly placement: string;
  readonly traffic: string;
  delivered: number;
  viewable: number;
  clicks: number;
}

/** One slot that was filled or stayed empty, according to the response. */
export interface Impression extends Omit<Row, 'placement' | 'delivered' | 'viewable' | 'clicks'> {
  placement: string;
  isUsed?: boolean;
  isViewed?: boolean;
}

/** A click token of a response. */
export interface Token {
  readonly text: string;
  readonly of: Impression;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const TOKEN_LIFE = 600;
const DEDUP = 30 * 60_000;

/** The day of a timestamp, computed without the code under test. */
export const dayIn = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

const isValid = ({ traffic }: Pick<Row, 'traffic'>): boolean => !EXCLUDED.some((reason) => reason === traffic);

/** The counts that a reader of the API document expects, derived only from requests and their responses. */
export class FiguresModel {
  readonly rows = new Map<string, Row>();
  readonly tokens: Token[] = [];
  readonly #clicked = new Map<string, number>();
  readonly #named = new Set<string>();

  #count({ isUsed: _, isViewed: __, ...key }: Impression, what: 'delivered' | 'viewable' | 'clicks'): void {
    const text = JSON.stringify(key);
    const row = this.rows.get(text) ?? { ...key, delivered: 0, viewable: 0, clicks: 0 };
    this.rows.set(text, { ...row, [what]: row[what] + 1 });
  }

  /** Excluded traffic cannot name a placement: until a reader does so on that day, it counts as "other". */
  deliver(impressions: readonly Impression[]): void {
    for (const impression of impressions) {
      const named = `${impression.day} ${impression.placement}`;
      if (isValid(impression)) this.#named.add(named);
      else if (impression.placement !== '' && !this.#named.has(named)) impression.placement = 'other';
      this.#count(impression, 'delivered');
    }
  }

  issue(text: string, of: Impression, now: number): void {
    this.tokens.push({ text, of, expiresAt: (Math.floor(now / 1000) + TOKEN_LIFE) * 1000 });
  }

  /** The status of a click. */
  click({ of, expiresAt }: Token, ip: string, now: number, timeZone: string): number {
    if (now >= expiresAt) return 400;
    if (of.isUsed) return 409;
    of.isUsed = true;
    const visit = `${ip} ${of.ad}`;
    if (now - (this.#clicked.get(visit) ?? Number.NEGATIVE_INFINITY) < DEDUP) return 200;
    this.#clicked.set(visit, now);
    this.#count({ ...of, day: dayIn(now, timeZone) }, 'clicks');
    return 200;
  }

  view({ of, expiresAt }: Token, now: number): void {
    if (now >= expiresAt || of.isViewed || !isValid(of)) return;
    of.isViewed = true;
    this.#count(of, 'viewable');
  }

  /** The sums of the rows, by some of their keys. */
  sums(
    by: readonly ('day' | 'ad' | 'campaign' | 'placement' | 'traffic')[],
    isWanted: (row: Row) => boolean = ({ ad }) => ad !== '',
  ) {
    const groups = Map.groupBy([...this.rows.values()].filter(isWanted), (row) =>
      by.map((name) => row[name]).join(' '),
    );
    const sum = (rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
    const totals = [...groups].map(([key, rows]): [string, readonly number[]] => {
      const filled = rows.filter(({ ad }) => ad !== '');
      const valid = sum(filled.filter(isValid), ({ delivered }) => delivered);
      const [viewable, clicks] = [sum(rows, (row) => row.viewable), sum(rows, (row) => row.clicks)];
      return [key, [sum(filled, ({ delivered }) => delivered), valid, viewable, clicks]];
    });
    return Object.fromEntries(totals.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
