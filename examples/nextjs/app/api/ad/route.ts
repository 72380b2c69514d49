import type { AdFormat } from '@broadsheet/sdk';
import { blog } from '../../../lib/blog';

/** An ad for the visitor. If the request fails, the page shows no ad. */
export async function GET(request: Request): Promise<Response> {
  const format = new URL(request.url).searchParams.get('format') as AdFormat;
  const { data } = await blog.ads.deliver(format, { visitor: request, timeout: 2_000 }).safe();
  return Response.json(data ?? { filled: false }, { headers: { 'cache-control': 'no-store' } });
}

/** A click of the visitor, who must come from a domain of the blog. */
export async function POST(request: Request): Promise<Response> {
  const body = await request.json().catch(() => undefined);
  const { ok, error } = await blog.ads.click(String(body?.token), { visitor: request }).safe();
  return Response.json({ ok }, { status: ok ? 200 : (error.status ?? 502) });
}
