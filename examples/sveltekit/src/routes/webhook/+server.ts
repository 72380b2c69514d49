import { unwrap, WebhookError } from '@broadsheet/sdk/webhooks';
import { cache } from '../../lib/server/blog';

/** Receives the webhook of the blog, and removes the responses that a change made outdated. */
export async function POST({ request }) {
  try {
    const { data } = await unwrap(request, process.env['BROADSHEET_WEBHOOK_SECRET']);
    for (const tag of data.tags) cache.revalidateTag(tag);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookError) return new Response(error.message, { status: error.status });
    throw error;
  }
}
