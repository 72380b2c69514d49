import type { SnapshotAd } from '@broadsheet/contract';
import { adName, type ServerStore } from '@broadsheet/management';
import type { FormFields } from './guard.tsx';
import type { Visit } from './visit.ts';

/** Writes into the log what somebody just did: a sentence without its subject. */
export async function logChange(store: ServerStore, { person, blog, now }: Visit, what: string): Promise<void> {
  await store.writeLog({ at: new Date(now).toISOString(), who: person.name, blogId: blog?.id ?? null, what });
}

/** The text of a field; empty when it was not sent or is a file. */
export function textOf(form: FormFields, name: string): string {
  const value = form[name];
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one.replaceAll('\r\n', '\n') : '';
}

/** How a post or an ad is called in the log and on a page. */
export const named = (thing: SnapshotAd | { readonly id: string; readonly title: string }): string =>
  `“${'format' in thing ? adName(thing) : thing.title.trim() || thing.id}”`;
