import { validate } from '@broadsheet/contract/schemas';
import { Disagreement, equal } from './expect.ts';

/** Checks that a value has the fields of its resource (api.md 2) and no others, and that its timestamps are in UTC. */
export function conforms(schema: Parameters<typeof validate>[0], value: unknown, at: string): void {
  const read = validate(schema, value);
  if (!read.ok) throw new Disagreement(`${at}: ${read.fields.map(({ message }) => message).join('; ')}`);
  equal(value, read.value, at);
  const [local] = JSON.stringify(value).match(/"\w+At":"[^"]*[^Z"]"/) ?? [];
  if (local !== undefined) throw new Disagreement(`${at}: ${local} is not in UTC`);
}
