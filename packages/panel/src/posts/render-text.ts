import { createHash } from 'node:crypto';
import { createContext, Script } from 'node:vm';
import { marked } from 'marked';

/** Milliseconds that rendering a text may take, because the pages of everybody else wait for it. */
const LONGEST = 500;
/** The number of texts that are remembered. */
const MAX_SLOW = 1000;

const call = new Script('work()');
const context = createContext({});
/** The hashes of texts that could not be rendered. */
const slow = new Set<string>();

/** Renders the Markdown of a post; `undefined` for a text that takes too long, or is nested too deeply. */
export function renderText(text: string): string | undefined {
  const hash = createHash('sha256').update(text).digest('base64');
  if (slow.has(hash)) return undefined;
  context['work'] = () => marked.parse(text, { async: false });
  try {
    // A script can be interrupted, with every function that it calls: https://nodejs.org/api/vm.html
    return call.runInContext(context, { timeout: LONGEST });
  } catch {
    if (slow.size === MAX_SLOW) slow.clear();
    slow.add(hash);
    return undefined;
  }
}
