import { OutcomeUnknown } from '@broadsheet/core';
import { expect, test } from 'vitest';
import { ChangeUnknown, withSecrets } from './change-unknown.ts';

const secretsOf = ({ apiKey }: { readonly apiKey: string }) => [{ name: 'the key', value: apiKey, text: 'Created.' }];

test('a change of which nobody knows whether it was made shows its new key', () => {
  const error = withSecrets(new OutcomeUnknown('lost', { result: { apiKey: 'bs_new' } }), secretsOf);
  expect(error).toBeInstanceOf(ChangeUnknown);
  expect((error as ChangeUnknown).text).toMatch(/not known whether .* the key is bs_new$/);
  expect((withSecrets(new OutcomeUnknown('lost'), secretsOf) as ChangeUnknown).text).toMatch(/try again\.$/);
});

test('other errors stay as they are', () => {
  const error = new Error('other');
  expect(withSecrets(error, secretsOf)).toBe(error);
});
