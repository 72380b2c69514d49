import { FAILURES } from '../../packages/contract/src/failures.ts';
import {
  ENDPOINT_IDS,
  ENDPOINTS,
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  REPAIRS,
} from '../../packages/contract/src/index.ts';
import { errorExample } from '../../packages/contract/src/reference/examples.ts';
import { SAMPLES } from './error-samples.ts';

/** The list of all errors, and a page for each: `[URL, Markdown]`. */
export function errorPages(): [string, string][] {
  const rows = ERROR_CODES.map(
    (code) => `| [\`${code}\`](/errors/${code})<br>${ERRORS[code].status} | ${ERRORS[code].summary} |`,
  );
  const list = `# Errors

Every error response has the same body: \`error.code\` names the error, \`error.requestId\` identifies the request in the log
of the server, and \`error.docs\` links to its page here. \`error.retryable\` says whether the same request may succeed later.

| Code and status | What happened |
| --- | --- |
${rows.join('\n')}

The [SDK](/packages/sdk#errors) throws a class for each kind of error, and has codes for errors that no server sent.
`;
  return [['errors/', list], ...ERROR_CODES.map((code): [string, string] => [`errors/${code}`, errorPage(code)])];
}

function errorPage(code: ErrorCode): string {
  const { status, type, retryable, summary } = ERRORS[code];
  const sources = ENDPOINT_IDS.filter((id) => FAILURES[id].some((one) => one === code)).map(
    (id) =>
      `- [\`${ENDPOINTS[id].method} ${ENDPOINTS[id].path}\`](/docs/reference#tag/${id.split('.')[0]}/${ENDPOINTS[id].method}${ENDPOINTS[id].path}){target="_self"}`,
  );
  return `# ${code}

${summary}

| Status | Type | Retry |
| --- | --- | --- |
| ${status} | \`${type}\` | ${retryable ? 'yes, after a pause' : 'no, the same request fails again'} |

## What to do

${REPAIRS[code]}

## In code

${SAMPLES[code].trim()}

## The response

\`\`\`json
${JSON.stringify(errorExample(code), undefined, 2)}
\`\`\`
${sources.length > 0 ? `\n## Endpoints\n\n${sources.join('\n')}\n` : ''}`;
}
