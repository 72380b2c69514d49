/** Declarations of the names that samples use and the surrounding text introduces. */
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
