import { accept, Snapshot, type SnapshotInput } from '@broadsheet/contract';
import type { ContentProblem, Read } from '../problem.ts';
import { unstorableTexts } from '../text/storable-text.ts';
import { checkSnapshot } from './snapshot-checks.ts';

/** Reads a parsed snapshot: by its schema, then for what contradicts itself. It is given back as it was written. */
export function readSnapshot(json: unknown, file: string): Read<SnapshotInput> {
  const read = accept(Snapshot, json);
  const problems = [
    ...(read.ok ? [] : schemaProblems(read.fields, file)),
    ...checkSnapshot((read.ok ? read.value : read.partial)?.blogs ?? []),
    ...unstorableTexts(json),
  ];
  // The schema has just accepted it. What was left out stays left out: a store may keep what it has for it.
  return problems.length === 0 ? { ok: true, value: json as SnapshotInput } : { ok: false, problems };
}

/** Field errors of the contract as problems: a message there begins with the field, which `at` says already. */
export function schemaProblems(
  fields: readonly { readonly field: string; readonly message: string }[],
  file: string,
): ContentProblem[] {
  return fields.map(({ field, message }) => ({
    at: field === '' ? file : field,
    message: message.slice((field || 'body').length + 2),
  }));
}
