import { accept, Snapshot, type SnapshotInput } from '@broadsheet/contract';
import type { ContentProblem, Read } from '../problem.ts';
import { unstorableTexts } from '../text/storable-text.ts';
import { checkSnapshot } from './snapshot-checks.ts';

/** Checks a parsed snapshot against its schema and for contradictions, and returns it unchanged. */
export function readSnapshot(json: unknown, file: string): Read<SnapshotInput> {
  const read = accept(Snapshot, json);
  const problems = [
    ...(read.ok ? [] : schemaProblems(read.fields, file)),
    ...checkSnapshot((read.ok ? read.value : read.partial)?.blogs ?? []),
    ...unstorableTexts(json),
  ];
  // The schema has accepted it. It is returned without defaults, because a store may keep its values of absent fields.
  return problems.length === 0 ? { ok: true, value: json as SnapshotInput } : { ok: false, problems };
}

/** Converts field errors of the contract to problems. Their messages begin with the field, which `at` already names. */
export function schemaProblems(
  fields: readonly { readonly field: string; readonly message: string }[],
  file: string,
): ContentProblem[] {
  return fields.map(({ field, message }) => ({
    at: field === '' ? file : field,
    message: message.slice((field || 'body').length + 2),
  }));
}
