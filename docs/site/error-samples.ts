import type { ErrorCode } from '../../packages/contract/src/index.ts';

const ts = (code: string, names = 'createClient'): string =>
  `\`\`\`ts\nimport { ${names} } from '@broadsheet/sdk';\n\nconst blog = createClient();\n// ---cut---\n${code.trim()}\n\`\`\``;

/** How a program handles each error, in Markdown. The TypeScript is compiled when the site is built. */
export const SAMPLES: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: ts(
    `
const { error } = await blog.search('ab').safe();
if (error instanceof ValidationError) {
  for (const { field, message } of error.fields ?? []) console.log(field, message);
}`,
    'createClient, ValidationError',
  ),
  INVALID_JSON: `The SDK writes the body itself. Without it:

\`\`\`sh
curl -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"slots":[{"slotId":"top","format":"BANNER"}]}' "$URL/public/ads/formats"
\`\`\``,
  CLICK_TOKEN_INVALID: ts(`
const ad = await blog.ads.deliver('BANNER');
if (ad.filled) await blog.ads.click(ad.clickToken); // the token as received, through the same client`),
  CLICK_TOKEN_EXPIRED: ts(`
let ad = await blog.ads.deliver('BANNER');
if (ad.filled) {
  const { ok, error } = await blog.ads.click(ad.clickToken).safe();
  if (!ok && error.code === 'CLICK_TOKEN_EXPIRED') ad = await blog.ads.deliver('BANNER'); // show this one instead
}`),
  UNAUTHORIZED: `\`\`\`sh
broadsheet keys list my-blog      # does the key exist, and was it revoked? When was it last used?
broadsheet keys create my-blog    # another one, shown once
\`\`\``,
  ORIGIN_NOT_ALLOWED: `\`\`\`sh
broadsheet blogs domains my-blog --add www.example.com
\`\`\`

From a server, pass the request of the visitor:

${ts(`
async function passOn(request: Request, clickToken: string) {
  await blog.ads.click(clickToken, { visitor: request });
}`)}`,
  NOT_FOUND: ts(`
const { ok, data, error } = await blog.posts.getBySlug('hello-world').safe();
if (ok) console.log(data.title);
else if (error.code === 'NOT_FOUND') console.log('There is no such post, or it is not published.');
else throw error;`),
  NO_SUCH_ENDPOINT: ts(`
// The path of baseUrl is wrong, or a proxy changed it: the SDK throws a ResponseError, never a NotFoundError.
const { error } = await blog.tags.list().safe();
if (error?.code === 'NO_SUCH_ENDPOINT') console.error('Check BROADSHEET_BASE_URL:', error.message);`),
  METHOD_NOT_ALLOWED: `\`\`\`sh
curl -i -X DELETE -H "X-API-Key: $KEY" "$URL/public/posts"   # Allow: GET, HEAD
\`\`\``,
  CLICK_TOKEN_USED: ts(`
const ad = await blog.ads.deliver('BANNER');
if (ad.filled) {
  await blog.ads.click(ad.clickToken);
  const { ok, error } = await blog.ads.click(ad.clickToken).safe();
  if (!ok) console.log(error.code); // CLICK_TOKEN_USED: the first was counted, all is well
}`),
  PAYLOAD_TOO_LARGE: `A batch takes up to 20 slots, which are far below the limit. Check what else is in the body:

\`\`\`sh
wc -c < body.json
\`\`\``,
  UNSUPPORTED_MEDIA_TYPE: `The SDK sends the header. With your own \`fetch\`, a string \`body\` is sent as \`text/plain\` by default:

\`\`\`ts
const [url, key, slots] = ['http://127.0.0.1:4500', 'KEY', [{ slotId: 'top', format: 'BANNER' }]];
// ---cut---
await fetch(\`\${url}/public/ads/formats\`, {
  method: 'POST',
  headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
  body: JSON.stringify({ slots }),
});
\`\`\``,
  RATE_LIMITED: `The SDK waits as long as \`Retry-After\` says, up to 30 seconds, and retries a read twice. To wait longer:

\`\`\`ts
import { createClient } from '@broadsheet/sdk';
// ---cut---
const blog = createClient({ timeout: 120_000, retry: { limit: 5 } });
\`\`\``,
  INTERNAL_ERROR: ts(`
const { ok, error } = await blog.posts.list().safe();
if (!ok) console.error(error.code, error.requestId, error.attempts); // the id is in the log of the server, too`),
  UNAVAILABLE: ts(`
const { ok, data, error } = await blog.posts.list({ limit: 5 }).safe();
const posts = ok ? data.items : []; // a page without its list is better than no page
if (!ok) console.warn(error.code, error.requestId);`),
};
