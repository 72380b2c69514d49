import { cookies, draftMode } from 'next/headers';
import { redirect } from 'next/navigation';
import { blog } from '../../lib/blog';

/** Opens the post of a preview link. The API decides which post that is, so the link leads to no other page. */
export async function GET(request: Request): Promise<Response> {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const { ok, data, error } = await blog.preview(token).safe();
  if (!ok) return new Response('This preview cannot be opened.', { status: error.status ?? 400 });
  (await draftMode()).enable();
  const secure = process.env.NODE_ENV === 'production';
  (await cookies()).set('preview', token, { httpOnly: true, sameSite: 'lax', secure, maxAge: 24 * 60 * 60 });
  redirect(`/posts/${encodeURIComponent(data.slug)}`);
}
