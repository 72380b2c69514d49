import { useContext } from 'hono/jsx';
import { RequestContext } from 'hono/jsx-renderer';

/**
 * The attribute of a text or line that is updated while the page is open. Its value is noted for `live.json`, which
 * therefore has exactly what the page shows; a page that is not updated, such as a report, notes nothing.
 */
export function live(name: string, value: unknown): { readonly 'data-live': string } {
  useContext(RequestContext)?.get('live')?.set(name, String(value));
  return { 'data-live': name };
}
