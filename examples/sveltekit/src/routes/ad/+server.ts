import { json } from '@sveltejs/kit';
import { blog } from '../../lib/server/blog';

/** The visitor for the API; the adapter determines the IP address, even behind a proxy. */
const visitorOf = (request: Request, getClientAddress: () => string) => ({
  origin: request.headers.get('origin') ?? undefined,
  referer: request.headers.get('referer') ?? undefined,
  userAgent: request.headers.get('user-agent') ?? undefined,
  ip: getClientAddress(),
});

export async function GET({ request, getClientAddress }) {
  const visitor = visitorOf(request, getClientAddress);
  const { data } = await blog.ads.deliver('BANNER', { visitor, timeout: 1_000 }).safe();
  return json(data ?? { filled: false }, { headers: { 'cache-control': 'no-store' } });
}

export async function POST({ request, getClientAddress }) {
  const body = await request.json().catch(() => undefined);
  const visitor = visitorOf(request, getClientAddress);
  const { ok, error } = await blog.ads.click(String(body?.token), { visitor }).safe();
  return json({ ok }, { status: ok ? 200 : (error.status ?? 502) });
}
