import {
  ENDPOINT_IDS,
  ENDPOINTS,
  type Endpoint,
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  REPAIRS,
} from '@broadsheet/contract';
import { html, prose } from './html.ts';
import { page } from './page.ts';

/** Every error of the catalogue with a link to its page. */
export function errorList(): Response {
  const rows = ERROR_CODES.map(
    (code) => html`<tr><td>${ERRORS[code].status}</td><td><a href="errors/${code}"><code>${code}</code></a></td>
<td>${prose(ERRORS[code].summary)}</td></tr>\n`,
  );
  const body = html`<h1>Errors</h1>
<p>Every failure is answered with the same envelope: <code>error.code</code> names it, <code>error.requestId</code> names
the request, <code>error.docs</code> leads to its page here.</p>
<div class="scroll"><table>
<thead><tr><th>Status</th><th>Code</th><th>What happened</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
  return page({ title: 'Errors', root: './', body });
}

/** The page of one error code, which `error.docs` links to; 404 for a code that is not in the catalogue. */
export function errorPage(code: string): Response {
  if (!isErrorCode(code)) {
    const body = html`<h1>No such error</h1><p>There is no error code <code>${code}</code>.
<a href="../errors">All error codes</a></p>`;
    return page({ title: 'No such error', root: '../', body, status: 404 });
  }
  const { status, type, retryable, summary } = ERRORS[code];
  const sources = ENDPOINT_IDS.filter((id) => (ENDPOINTS[id] as Endpoint).failures.includes(code)).map(
    (id) =>
      html`<li><a href="../docs/reference#${id}"><code>${ENDPOINTS[id].method} ${ENDPOINTS[id].path}</code></a></li>\n`,
  );
  const body = html`<h1><code>${code}</code></h1>
<p>${prose(summary)}</p>
<h2>What to do</h2>
<p>${prose(REPAIRS[code])}</p>
<h2>Facts</h2>
<table><tbody>
<tr><th scope="row">Status</th><td>${status}</td></tr>
<tr><th scope="row">Type</th><td><code>${type}</code></td></tr>
<tr><th scope="row">Worth repeating</th><td>${retryable ? 'yes, after a pause' : 'no, the same request fails again'}</td></tr>
</tbody></table>
${sources.length > 0 ? html`<h2>Where it comes from</h2><ul class="plain">${sources}</ul>` : html``}`;
  return page({ title: code, root: '../', body });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
