import type { ClickEntry, DeliveryEntry, Entry, ReadEntry } from '../history.ts';
import { claimsOf } from '../tokens.ts';
import { type BlogHistory, each, type Rule, SECOND, SKEW } from './rule.ts';

type Request = DeliveryEntry | ClickEntry | ReadEntry;

/** Milliseconds after a fault during which servers may still be unavailable. */
const RECOVERY = 30_000;
/** The name of the entry for a time in which the machine was too slow. */
export const SLOW_MACHINE = 'a slow machine';
/** Milliseconds after such a time during which requests may still wait. */
const CATCH_UP = 3000;
/** Milliseconds for which a click token is valid. */
const TOKEN_TTL = 600_000;

const requestsOf = ({ of }: BlogHistory): Request[] => [...of('delivery'), ...of('click'), ...of('read')];

/** The events that explain why a request was refused. */
const REASONS: Readonly<Record<string, (request: Request, history: BlogHistory) => boolean>> = {
  UNAUTHORIZED: ({ apiKey, start, end }, { of }) =>
    of('command').some(
      (command) =>
        (command.outcome !== 'refused' && command.revoked?.includes(apiKey) && command.start <= end) ||
        (command.created === apiKey && start <= command.end + SECOND),
    ),
  CLICK_TOKEN_USED: (request, { of }) =>
    request.kind === 'click' &&
    of('click').some(
      (click) =>
        click !== request &&
        click.outcome !== 'refused' &&
        click.start <= request.end &&
        claimsOf(click.token).id === claimsOf(request.token).id,
    ),
  CLICK_TOKEN_EXPIRED: (request) =>
    request.kind === 'click' && claimsOf(request.token).issuedAt + TOKEN_TTL <= request.to + SKEW,
  UNAVAILABLE: (request, history) => faultsAround(request, history).length > 0,
  // Nobody found out what became of the commit, so the response does not say that nothing was counted.
  INTERNAL_ERROR: (request, history) =>
    request.outcome === 'unknown' && faultsAround(request, history).some(({ what }) => what.includes('PostgreSQL')),
};

/** The faults during a request, or shortly before it. */
const faultsAround = ({ start, end }: Request, { of }: BlogHistory) =>
  of('fault').filter(
    (fault) => fault.start <= end && start <= fault.end + (fault.what === SLOW_MACHINE ? CATCH_UP : RECOVERY),
  );

const explained: Rule['check'] = each(
  (history) => requestsOf(history).filter(({ code }) => code !== undefined),
  (request, history) => {
    if (REASONS[request.code ?? '']?.(request, history)) return undefined;
    return {
      text: `${request.kind}: ${request.status} ${request.code}`,
      entries: [...causes(request, history), request],
    };
  },
);

/** The other attempts with the same token, or what was done with the key. */
function causes(request: Request, { of }: BlogHistory): readonly Entry[] {
  if (request.kind === 'click') {
    const { id } = claimsOf(request.token);
    return of('click').filter((click) => click !== request && claimsOf(click.token).id === id);
  }
  return of('command').filter(
    ({ revoked, created }) => created === request.apiKey || revoked?.includes(request.apiKey),
  );
}

export const REFUSALS: readonly Rule[] = [
  { promise: 'every refusal has a reason', check: explained },
  {
    promise: 'every command is carried out',
    check: each(
      ({ of }) => of('command').filter(({ outcome }) => outcome !== 'unknown'),
      (entry) => (entry.outcome === 'ok' ? undefined : { text: `${entry.name}: ${entry.note}`, entries: [entry] }),
    ),
  },
  {
    promise: 'after the last fault, every request succeeds',
    check: each(
      (history) => [...requestsOf(history), ...history.of('beacon')].filter(({ isCalm }) => isCalm),
      (request) =>
        request.outcome === 'ok'
          ? undefined
          : { text: `${request.kind}: ${request.status ?? 'no response'} ${request.code ?? ''}`, entries: [request] },
    ),
  },
];
