import { unwrap, WebhookError } from '@broadsheet/sdk/webhooks';
import { revalidateTag } from 'next/cache';

/** Receives the webhook of the blog, and renews the reads that a change made outdated. */
export async function POST(request: Request): Promise<Response> {
  try {
    const { data } = await unwrap(request, process.env.BROADSHEET_WEBHOOK_SECRET);
    for (const tag of data.tags) revalidateTag(tag, 'max');
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookError) return new Response(error.message, { status: error.status });
    throw error;
  }
}
