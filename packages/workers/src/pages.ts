import { errorText } from '@broadsheet/contract';

/** What is there beside the API: whether the deployment runs, and what each error code means. */
export function answerPage({ method, url }: Request): Response | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const { pathname } = new URL(url);
  if (pathname === '/healthz') return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
  const [errors, code] = /^\/errors(?:\/([^/]+))?$/.exec(pathname) ?? [];
  const text = errors === undefined ? undefined : errorText(code);
  return text === undefined ? undefined : textResponse(text);
}

function textResponse(text: string): Response {
  return new Response(`${text}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
