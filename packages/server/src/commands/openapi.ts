import { openapi } from '@broadsheet/contract/schemas';
import { printJson } from '../program/output.ts';

/** `broadsheet openapi` */
export async function printOpenApi({ baseUrl }: { readonly baseUrl: string }): Promise<void> {
  printJson(openapi({ baseUrl }));
}
