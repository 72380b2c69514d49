/** What a sample of the documents may take from the surroundings its text speaks of. */
export const SURROUNDINGS = `
import type * as kit from '@broadsheet/mock-server';
declare global {
  const mock: kit.Mock;
  const world: kit.World;
  const user: { type(input: unknown, text: string): Promise<void> };
  const input: unknown;
  function renderHome(connection: kit.World['connection']): Promise<void>;
}
`;
