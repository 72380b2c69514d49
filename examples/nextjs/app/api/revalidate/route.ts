import { unwrap } from '@broadsheet/sdk/webhooks';
import { revalidateTag } from 'next/cache';

/** Receives the webhook of the blog, and expires the reads that a change made outdated. */
export async function POST(request: Request): Promise<Response> {
  const { data } = await unwrap(request, process.env.BROADSHEET_WEBHOOK_SECRET);
  for (const tag of data.tags) revalidateTag(tag, { expire: 0 });
  return new Response(null, { status: 204 });
}
