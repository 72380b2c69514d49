import {
  ENDPOINT_IDS,
  ENDPOINTS,
  type Endpoint,
  type EndpointId,
  ERRORS,
  type OpenApiDocument,
} from '@broadsheet/contract';
import { type Html, html } from './html.ts';
import { page } from './page.ts';

/** The parts of an OpenAPI operation that the page shows; the document is made by our own contract. */
interface Operation {
  readonly summary: string;
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}
type Content = { readonly 'application/json': { readonly schema: unknown } };

/** The reference page: every endpoint with its parameters, bodies and failures, made from the OpenAPI document. */
export function referencePage(document: OpenApiDocument, baseUrl: string): Response {
  const { schemas } = document['components'] as { schemas: Readonly<Record<string, unknown>> };
  const links = ENDPOINT_IDS.map(
    (id) =>
      html`<li><a href="#${id}"><span class="method">${ENDPOINTS[id].method}</span><code>${ENDPOINTS[id].path}</code></a></li>\n`,
  );
  const parts = Object.entries(schemas).map(
    ([name, schema]) => html`<h2 id="schema-${name}">${name}</h2>${json(schema)}\n`,
  );
  const body = html`<h1>API reference</h1>
<p>The published content of one blog, and its ads. Every request carries the key of the blog in the header
<code>X-API-Key</code>; the key alone decides which blog is read. Base URL: <code class="path">${baseUrl}</code>.</p>
<pre>curl -H 'X-API-Key: YOUR_KEY' '${baseUrl}/public/posts?limit=5'</pre>
<nav aria-label="Endpoints"><ul class="plain">${links}</ul></nav>
${ENDPOINT_IDS.map((id) => endpointSection(id, operationOf(document, id)))}
<section><h1>Schemas</h1>${parts}</section>`;
  return page({ title: 'API reference', root: '../', body });
}

function operationOf(document: OpenApiDocument, id: EndpointId): Operation {
  const { path, method } = ENDPOINTS[id];
  return document.paths[path]?.[method.toLowerCase()] as Operation;
}

function endpointSection(id: EndpointId, operation: Operation): Html {
  const endpoint: Endpoint = ENDPOINTS[id];
  return html`<section id="${id}">
<h2><span class="method">${endpoint.method}</span> <code class="path">${endpoint.path}</code></h2>
<p>${operation.summary}.</p>
${parameterTable(operation)}
${operation.requestBody ? html`<h3>Body</h3>${json(operation.requestBody.content['application/json'].schema)}` : html``}
<h3>200</h3>
${json(operation.responses['200']?.content['application/json'].schema)}
<h3>Failures</h3>
<div class="scroll"><table><tbody>${endpoint.failures.map(
    (code) => html`<tr><td>${ERRORS[code].status}</td><td><a href="../errors/${code}"><code>${code}</code></a></td>
<td>${ERRORS[code].summary}</td></tr>\n`,
  )}</tbody></table></div>
</section>
`;
}

function parameterTable({ parameters }: Operation): Html {
  if (parameters.length === 0) return html``;
  const rows = parameters.map(
    ({ name, in: place, required, schema }) => html`<tr><td><code>${name}</code></td><td>${place}</td>
<td>${required ? 'required' : 'optional'}</td><td><code>${JSON.stringify(schema)}</code></td></tr>\n`,
  );
  return html`<h3>Parameters</h3><div class="scroll"><table><tbody>${rows}</tbody></table></div>`;
}

/** A schema, with each reference a link to where it stands on the page. */
function json(schema: unknown): Html {
  const parts = JSON.stringify(schema, undefined, 2).split(/("#\/components\/schemas\/\w+")/);
  const marked = parts.map((part, index) => {
    const name = index % 2 === 1 ? part.slice(part.lastIndexOf('/') + 1, -1) : undefined;
    return name ? html`<a href="#schema-${name}">"${name}"</a>` : html`${part}`;
  });
  return html`<pre>${marked}</pre>`;
}
