import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIELD_NAMES, fieldKey, NESTED } from './field-names.ts';

const GUIDES = join(import.meta.dirname, '../../../../docs/guides');
const KNOWN = new Set([...Object.values(FIELD_NAMES).flat(), ...NESTED].map(fieldKey));

/** Names of files and values that stand in the first column beside fields. */
const isField = (code: string): boolean => /^[A-Za-z][\w ]*(?:[:=]|$)/.test(code) && !/^(?:hidden|skip|_)/.test(code);

const guides = readdirSync(GUIDES).filter((name) => /^from-/.test(name) && name !== 'from-ghost.md');

test('every field that a guide names is read', () => {
  expect(guides.length).toBeGreaterThanOrEqual(9);
  for (const guide of guides) {
    const rows = readFileSync(join(GUIDES, guide), 'utf8').match(/^\| (?!in |---).*$/gm) ?? [];
    expect(rows.length, guide).toBeGreaterThan(3);
    const codes = rows.flatMap((row) =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
    );
    const fields = codes.filter(isField).map((code) => code.split(/[:=]/)[0]?.trim() ?? '');
    expect(
      fields.filter((field) => !KNOWN.has(fieldKey(field))),
      guide,
    ).toEqual([]);
  }
});

test('no name has two meanings', () => {
  const keys = Object.values(FIELD_NAMES).flat().map(fieldKey);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
