import { isDomain } from '@broadsheet/contract';
import { OperationError, type OperationProblem } from '../operations/operation-error.ts';

/** A change of the hosts whose pages may report clicks: all are replaced, some are added and removed, or none is left. */
interface DomainChange {
  readonly domains?: readonly string[] | undefined;
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
  /** Allows every site. */
  readonly clear?: boolean | undefined;
}

/**
 * The domains of a blog after a change; `undefined` if nothing is to be changed.
 *
 * @throws OperationError when arguments contradict each other, when a host is invalid or does not exist, or when the
 * last host would be removed without `clear`
 */
export function changedDomains(blog: string, now: readonly string[], change: DomainChange): string[] | undefined {
  const { remove = [], clear } = change;
  const [domains, add] = [change.domains?.map(hostIn) ?? [], change.add?.map(hostIn)];
  const isPartial = add !== undefined || change.remove !== undefined;
  if (clear && (domains.length > 0 || isPartial)) throw new OperationError('Use either domains or --clear, not both.');
  if (isPartial && domains.length > 0) {
    throw new OperationError(
      'Domains without --add or --remove replace the whole list: use either domains or these flags, not both.',
    );
  }
  const problems = wrongDomains(add ?? domains);
  if (problems.length > 0) throw new OperationError(problems);
  if (isPartial) return addedAndRemoved(blog, now, add ?? [], remove);
  if (!clear && domains.length === 0) return undefined;
  return [...new Set(domains)];
}

function addedAndRemoved(blog: string, now: readonly string[], add: readonly string[], remove: readonly string[]) {
  const known = now.length === 0 ? 'has none' : `has ${now.join(', ')}`;
  const problems = remove
    .filter((host) => !now.includes(host))
    .map((host) => ({ at: 'remove', message: `${JSON.stringify(host)} is not a domain of ${blog}, which ${known}` }));
  if (problems.length > 0) throw new OperationError(problems);
  const after = [...new Set([...now.filter((host) => !remove.includes(host)), ...add])];
  if (after.length > 0) return after;
  const message = `without domains, any site may report clicks for ${blog}; clear the list to allow that`;
  throw new OperationError([{ at: 'remove', message }]);
}

/** The host of a URL, which many people paste; any other text as it is. */
export function hostIn(typed: string): string {
  const url = /^https?:/i.test(typed) ? URL.parse(typed) : null;
  return url?.host || typed;
}

export function wrongDomains(hosts: readonly string[]): OperationProblem[] {
  const expected = 'expected a host such as news.example, news.example:8080 or *.news.example';
  return hosts
    .filter((host) => !isDomain(host))
    .map((host) => ({ at: 'domains', message: `${JSON.stringify(host)} is not a domain; ${expected}` }));
}
