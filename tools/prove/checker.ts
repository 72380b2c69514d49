import type { ProvenBlog } from './content.ts';
import {
  type BeaconEntry,
  type ClickEntry,
  type CommandEntry,
  type DeliveryEntry,
  type Entry,
  type MessageEntry,
  type ReadEntry,
  ZOMBIE,
} from './history.ts';
import { claimsOf } from './tokens.ts';

/** The final figures of a blog, as `stats` returns them. */
export interface Figures {
  readonly days: readonly {
    readonly day: string;
    readonly adId: string;
    readonly delivered: number;
    readonly valid: number;
    readonly viewable: number;
    readonly clicks: number;
  }[];
  readonly placements: readonly { readonly placement: string; readonly delivered: number; readonly clicks: number }[];
  readonly campaigns: readonly { readonly id: string; readonly valid: number; readonly clicks: number }[];
}

/** A promise that the history and the figures contradict. */
export interface Contradiction {
  readonly promise: string;
  readonly found: string;
  /** The entries that it is about, in the order in which they ended. */
  readonly entries: readonly Entry[];
}

export interface Run {
  readonly entries: readonly Entry[];
  readonly blogs: readonly ProvenBlog[];
  readonly figures: Readonly<Record<string, Figures>>;
}

/** Milliseconds within which every server shows a change and refuses a revoked key. */
const SECOND = 1000;
/** Milliseconds by which the clocks of two servers may differ for a moment. */
const SKEW = 2000;
/** A message is given up after its first attempt and six retries. The nemesis lets the days pass that these take. */
const ATTEMPTS = 7;

/** Decides from the responses that clients received, and from the final figures, whether every promise was kept. */
export function findContradictions(run: Run): Contradiction[] {
  return run.blogs.flatMap((blog) => {
    const own = run.entries.filter((entry) => !('blog' in entry) || entry.blog === blog.id);
    const figures = run.figures[blog.id];
    if (!figures) return [{ promise: 'every blog has figures', found: `${blog.id} has none`, entries: [] }];
    const of = <K extends Entry['kind']>(kind: K) =>
      own.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
    const deliveries = mergeRepeats(of('delivery'), blog);
    return [
      ...checkKeys(of('delivery')),
      ...checkImpressions(deliveries, figures, blog),
      ...checkPlacements(deliveries, figures),
      ...checkLimits(deliveries, of('command'), figures, blog),
      ...checkClicks(of('click'), figures),
      ...checkBeacons(of('beacon'), figures),
      ...checkReads(of('read'), of('command'), blog),
      ...checkRevoked(of('read'), of('command')),
      ...checkMessages(of('message'), of('command')),
    ];
  });
}

/** The impressions that one idempotency key, or one request without a key, may have counted. */
interface Counted {
  readonly entries: readonly DeliveryEntry[];
  /** The ads that were acknowledged. */
  readonly ads: readonly { readonly ad: string; readonly isValid: boolean; readonly placement?: string | undefined }[];
  /** The slots that may have been counted, because no response was read. */
  readonly open: readonly DeliveryEntry['slots'][number][];
  /** The days on which it may have been counted: they are equal, unless it was sent at midnight. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Combines the requests with one key, which count once. */
function mergeRepeats(deliveries: readonly DeliveryEntry[], blog: ProvenBlog): Counted[] {
  const groups = Map.groupBy(deliveries, (entry) => entry.key ?? entry);
  return [...groups.values()].map((entries) => {
    const first = entries.find(({ outcome }) => outcome === 'ok');
    const ads = (first?.slots ?? []).flatMap(({ token, placement }) => {
      if (token === undefined) return [];
      const { ad, isValid } = claimsOf(token);
      return [{ ad, placement, isValid }];
    });
    // Until the first acknowledged response, any attempt may be the one that counted.
    const unknown = first ? undefined : entries.find(({ outcome }) => outcome === 'unknown');
    const firstDay = dayOf(Math.min(...entries.map(({ from }) => from)) - SKEW, blog);
    const lastDay = dayOf(Math.max(...entries.map(({ to }) => to)) + SKEW, blog);
    return { entries, ads, open: unknown?.slots ?? [], firstDay, lastDay };
  });
}

/** One idempotency key has one ad for each slot. */
function checkKeys(deliveries: readonly DeliveryEntry[]): Contradiction[] {
  const successful = deliveries.filter(({ key, outcome }) => key !== undefined && outcome === 'ok');
  return [...Map.groupBy(successful, ({ key }) => key)].flatMap(([key, entries]) => {
    const slots = entries[0]?.slots ?? [];
    return slots.flatMap((_, at) => {
      const ads = entries.flatMap(({ slots: { [at]: slot } }) => (slot?.token ? claimsOf(slot.token).ad : []));
      const [ad, ...others] = [...new Set(ads)];
      if (others.length === 0) return [];
      return contradiction(
        'an idempotency key has one ad for each slot',
        `${key}, slot ${at}: ${ad}, ${others}`,
        entries,
      );
    });
  });
}

/** Acknowledged impressions are counted, and nothing is counted that was not sent: by ad, by day and by format. */
function checkImpressions(deliveries: readonly Counted[], figures: Figures, blog: ProvenBlog): Contradiction[] {
  const promise = 'acknowledged <= counted <= sent';
  const found: Contradiction[] = [];
  const compare = (
    what: string,
    counted: number,
    isWithin: (delivery: Counted) => 'surely' | 'perhaps' | 'no',
    isMeant: (ad: string) => boolean,
    isOpen: (format: string) => boolean,
  ) => {
    let [least, most] = [0, 0];
    const entries: DeliveryEntry[] = [];
    for (const delivery of deliveries) {
      const within = isWithin(delivery);
      if (within === 'no') continue;
      const acknowledged = delivery.ads.filter(({ ad }) => isMeant(ad)).length;
      const open = delivery.open.filter(({ format }) => isOpen(format)).length;
      if (acknowledged + open === 0) continue;
      if (within === 'surely') least += acknowledged;
      most += acknowledged + open;
      if (open > 0 || within === 'perhaps') entries.push(...delivery.entries);
    }
    if (counted >= least && counted <= most) return;
    found.push(...contradiction(promise, `${blog.id}, ${what}: ${least} <= ${counted} <= ${most}`, entries));
  };
  const sum = (rows: Figures['days']) => rows.reduce((total, { delivered }) => total + delivered, 0);
  for (const format of new Set(Object.values(blog.ads).map((ad) => ad.format))) {
    const ofFormat = (ad: string) => blog.ads[ad]?.format === format;
    const counted = sum(figures.days.filter(({ adId }) => ofFormat(adId)));
    compare(
      `all ads of the format ${format}`,
      counted,
      () => 'surely',
      ofFormat,
      (open) => open === format,
    );
  }
  const days = new Set([...figures.days.map(({ day }) => day), ...deliveries.map(({ firstDay }) => firstDay)]);
  for (const day of days) {
    const isWithin = ({ firstDay, lastDay }: Counted) => {
      if (firstDay === day && lastDay === day) return 'surely';
      return firstDay <= day && day <= lastDay ? 'perhaps' : 'no';
    };
    for (const [ad, { format }] of Object.entries(blog.ads)) {
      const counted = sum(figures.days.filter((row) => row.day === day && row.adId === ad));
      compare(
        `the ad ${ad} on ${day}`,
        counted,
        isWithin,
        (one) => one === ad,
        (open) => open === format,
      );
    }
  }
  return found;
}

/** The same by placement. */
function checkPlacements(deliveries: readonly Counted[], figures: Figures): Contradiction[] {
  const counted = new Map(figures.placements.map(({ placement, delivered }) => [placement, delivered]));
  const requested = deliveries.flatMap(({ entries }) =>
    entries.flatMap(({ slots }) => slots.map((slot) => slot.placement)),
  );
  const known = new Set([...counted.keys(), ...requested.filter((placement) => placement !== undefined)]);
  return [...known].flatMap((placement) => {
    const least = deliveries.flatMap(({ ads }) => ads.filter((ad) => ad.placement === placement)).length;
    const open = deliveries.flatMap((delivery) => delivery.open.filter((slot) => slot.placement === placement)).length;
    const count = counted.get(placement) ?? 0;
    if (count >= least && count <= least + open) return [];
    const text = `the placement ${placement}: ${least} <= ${count} <= ${least + open}`;
    return contradiction('acknowledged <= counted <= sent, by placement', text, []);
  });
}

/** No goal and no daily cap is exceeded, neither in the end nor by the acknowledged impressions up to any moment. */
function checkLimits(
  deliveries: readonly Counted[],
  commands: readonly CommandEntry[],
  figures: Figures,
  blog: ProvenBlog,
): Contradiction[] {
  return blog.campaigns.flatMap((campaign) => {
    const edits = commands.filter((entry) => entry.campaign === campaign.id && entry.outcome !== 'refused');
    const limit = (of: 'goal' | 'perDay', until: number) => {
      const values = edits.flatMap((edit) => (edit.start <= until ? (edit[of] ?? []) : []));
      return Math.max(campaign[of] ?? Number.POSITIVE_INFINITY, ...values);
    };
    const isOwn = (ad: string) => blog.ads[ad]?.campaign === campaign.id;
    const rows = figures.days.filter(({ adId }) => isOwn(adId));
    const sum = (some: Figures['days']) => some.reduce((total, { valid }) => total + valid, 0);
    const found: Contradiction[] = [];
    const total = sum(rows);
    const [goal, perDay] = [limit('goal', Number.POSITIVE_INFINITY), limit('perDay', Number.POSITIVE_INFINITY)];
    if (total > goal) found.push(...contradiction('no goal is exceeded', `${campaign.id}: ${total} > ${goal}`, edits));
    for (const [day, own] of Map.groupBy(rows, (row) => row.day)) {
      if (sum(own) <= perDay) continue;
      found.push(
        ...contradiction('no daily cap is exceeded', `${campaign.id}, ${day}: ${sum(own)} > ${perDay}`, edits),
      );
    }
    const reported = figures.campaigns.find(({ id }) => id === campaign.id)?.valid ?? 0;
    if (reported !== total) {
      const text = `${campaign.id}: its figures say ${reported}, those of its ads ${total}`;
      found.push(...contradiction('the figures of a campaign are the sum of its ads', text, []));
    }
    let acknowledged = 0;
    const inOrder = deliveries.toSorted((a, b) => lastOf(a).end - lastOf(b).end);
    for (const delivery of inOrder) {
      acknowledged += delivery.ads.filter(({ ad, isValid }) => isValid && isOwn(ad)).length;
      const most = limit('goal', lastOf(delivery).end);
      if (acknowledged <= most) continue;
      const text = `${campaign.id}: ${acknowledged} acknowledged, although its goal was ${most}`;
      found.push(...contradiction('no goal is exceeded at any moment', text, delivery.entries));
      break;
    }
    return found;
  });
}

const lastOf = ({ entries }: Counted): DeliveryEntry => entries.at(-1) as DeliveryEntry;

/** No token has two 200s, and acknowledged clicks are counted. */
function checkClicks(clicks: readonly ClickEntry[], figures: Figures): Contradiction[] {
  const byToken = [...Map.groupBy(clicks, ({ token }) => claimsOf(token).id).values()];
  const twice = byToken.filter((own) => own.filter(({ outcome }) => outcome === 'ok').length > 1);
  const found = twice.flatMap((own) => contradiction('a token has one 200', claimsOf(own[0]?.token ?? '').id, own));
  const ads = new Set([...figures.days.map(({ adId }) => adId), ...clicks.map(({ token }) => claimsOf(token).ad)]);
  for (const ad of ads) {
    const own = byToken.filter(([first]) => {
      const { ad: of, isValid } = claimsOf(first?.token ?? '');
      return of === ad && isValid;
    });
    const least = own.filter((entries) => entries.some(({ outcome }) => outcome === 'ok')).length;
    const most = own.filter((entries) => entries.some(({ outcome }) => outcome !== 'refused')).length;
    const counted = figures.days
      .filter(({ adId }) => adId === ad)
      .reduce((total, { clicks: count }) => total + count, 0);
    if (counted >= least && counted <= most) continue;
    const text = `the ad ${ad}: ${least} <= ${counted} <= ${most}`;
    found.push(...contradiction('acknowledged <= counted <= sent, for clicks', text, []));
  }
  return found;
}

/** A viewable impression is counted at most once, and an acknowledged one exactly once. */
function checkBeacons(beacons: readonly BeaconEntry[], figures: Figures): Contradiction[] {
  const state = new Map<string, { ad: string; isSure: boolean }>();
  for (const { tokens, outcome } of beacons) {
    for (const token of tokens) {
      const { id, ad } = claimsOf(token);
      state.set(id, { ad, isSure: outcome === 'ok' || state.get(id)?.isSure === true });
    }
  }
  const byAd = Map.groupBy(state.values(), ({ ad }) => ad);
  return [...new Set([...byAd.keys(), ...figures.days.map(({ adId }) => adId)])].flatMap((ad) => {
    const own = byAd.get(ad) ?? [];
    const least = own.filter(({ isSure }) => isSure).length;
    const counted = figures.days.filter(({ adId }) => adId === ad).reduce((total, { viewable }) => total + viewable, 0);
    if (counted >= least && counted <= own.length) return [];
    const text = `the ad ${ad}: ${least} <= ${counted} <= ${own.length}`;
    return contradiction('acknowledged <= counted <= sent, for viewable impressions', text, []);
  });
}

/** A read shows a state that the post may have had, and none that was replaced more than a second before. */
function checkReads(reads: readonly ReadEntry[], commands: readonly CommandEntry[], blog: ProvenBlog): Contradiction[] {
  const byPost = Map.groupBy(
    commands.filter(({ post, outcome }) => post !== undefined && outcome !== 'refused'),
    ({ post }) => post,
  );
  return reads.flatMap((read) => {
    if (read.version === undefined) return [];
    const writes = byPost.get(read.post) ?? [];
    const settled = writes.findLast(({ outcome, end }) => outcome === 'ok' && end + SECOND < read.start);
    const possible = writes.filter(
      (write) =>
        write.start <= read.end &&
        (write === settled ||
          (write.outcome === 'unknown' ? write.end + ZOMBIE > read.start : !settled || write.start > settled.start)),
    );
    const allowed = possible.map(({ version }) => version);
    if (!settled) allowed.push(1);
    // The changes of a lost command may be shown until the next command.
    const lost = writes.filter((write) => write.outcome === 'unknown' && (!settled || write.end > settled.start));
    allowed.push(...lost.filter((write) => write.start <= read.end).map(({ version }) => version));
    if (allowed.includes(read.version)) return [];
    const text = `${blog.id}, ${read.post}: read ${read.version}, possible were ${[...new Set(allowed)].join(', ')}`;
    return contradiction('no read goes back in time', text, [...writes, read]);
  });
}

/** A revoked key is refused after a second. */
function checkRevoked(reads: readonly ReadEntry[], commands: readonly CommandEntry[]): Contradiction[] {
  const revokedAt = new Map<string, CommandEntry>();
  for (const command of commands) {
    if (command.outcome !== 'ok') continue;
    for (const key of command.revoked ?? []) if (!revokedAt.has(key)) revokedAt.set(key, command);
  }
  return reads.flatMap((read) => {
    const revocation = revokedAt.get(read.apiKey);
    if (!revocation || read.version === undefined || read.start <= revocation.end + SECOND) return [];
    const late = Math.round(read.start - revocation.end);
    return contradiction('a revoked key is refused after a second', `accepted ${late} ms later`, [revocation, read]);
  });
}

/** The newest message about a post arrived, and no message arrived after a newer one. */
function checkMessages(messages: readonly MessageEntry[], commands: readonly CommandEntry[]): Contradiction[] {
  const found: Contradiction[] = [];
  const arrived = messages.filter(({ status }) => status === 200);
  for (const [subject, own] of Map.groupBy(arrived, ({ subject }) => subject)) {
    let newest: MessageEntry | undefined;
    const seen = new Set<string>();
    for (const message of own.toSorted((a, b) => a.start - b.start)) {
      if (!seen.has(message.id) && newest && message.changed < newest.changed) {
        found.push(...contradiction('messages about a post arrive in order', subject, [newest, message]));
      }
      seen.add(message.id);
      if (!newest || message.changed > newest.changed) newest = message;
    }
  }
  const changes = commands.filter(({ post }) => post !== undefined);
  for (const [subject, own] of Map.groupBy(changes, ({ post }) => post ?? '')) {
    const last = own.findLast(({ outcome }) => outcome === 'ok');
    if (!last) continue;
    // If a command repeats one whose response was lost, it may change nothing. The message is then about the first
    // command.
    const until = own.slice(0, own.indexOf(last) + 1);
    const [first = last] = until.slice(until.findLastIndex(({ version }) => version !== last.version) + 1);
    const attempts = messages.filter((one) => one.subject === subject && one.changed >= first.from - SKEW);
    if (attempts.length >= ATTEMPTS || attempts.some(({ status }) => status === 200)) continue;
    found.push(...contradiction('every webhook arrives', `${subject}: nothing about its last change`, [last]));
  }
  return found;
}

function contradiction(promise: string, found: string, entries: readonly Entry[]): Contradiction[] {
  return [{ promise, found, entries: entries.toSorted((a, b) => a.end - b.end) }];
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of a time in the time zone of a blog, such as `2026-11-23`. */
function dayOf(time: number, { timeZone }: ProvenBlog): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(time);
}
