import { cookies, draftMode } from 'next/headers';
import { redirect } from 'next/navigation';
import { blog } from '../../lib/blog';

/** Opens the post of a preview link, which the API names, so the link leads to no other page. Without a token, it ends the preview. */
export async function GET(request: Request): Promise<Response> {
  const token = new URL(request.url).searchParams.get('token');
  const [draft, jar] = [await draftMode(), await cookies()];
  if (token === null) {
    draft.disable();
    jar.delete('preview');
    redirect('/');
  }
  const { ok, data, error } = await blog.preview(token).safe();
  if (!ok) return new Response('This preview cannot be opened.', { status: error.status ?? 400 });
  draft.enable();
  const secure = process.env.NODE_ENV === 'production';
  jar.set('preview', token, { httpOnly: true, sameSite: 'lax', secure, maxAge: 24 * 60 * 60 });
  redirect(`/posts/${encodeURIComponent(data.slug)}`);
}
