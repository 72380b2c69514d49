import type { EndpointId } from '../endpoint-id.ts';
import type { Core } from '../on-demand-core.ts';
import { visitorHeaders } from './visitor.ts';

/**
 * The headers of a call that is made for a visitor.
 *
 * @throws InputError for a visitor that cannot be read.
 */
export function visitorTask(
  { inputError, messageOf }: Core,
  id: EndpointId,
  ...visitor: Parameters<typeof visitorHeaders>
): { readonly headers: Record<string, string> } {
  try {
    return { headers: visitorHeaders(...visitor) };
  } catch (thrown) {
    throw inputError(id, `visitor cannot be read: ${messageOf(thrown)}`);
  }
}
