import { tagsOf } from '@broadsheet/sdk';
import { revalidateTag } from 'next/cache';

/** Call it after publishing: `POST { "id": "…" }` with the secret renews the pages of that post and every list. */
export async function POST(request: Request): Promise<Response> {
  const { REVALIDATE_SECRET } = process.env;
  if (!REVALIDATE_SECRET || request.headers.get('authorization') !== `Bearer ${REVALIDATE_SECRET}`)
    return new Response('No', { status: 401 });
  const { id } = await request.json();
  const tags = tagsOf('posts.get', { id });
  for (const tag of tags) revalidateTag(tag, { expire: 0 });
  return Response.json({ tags });
}
