import type { Post } from '@broadsheet/sdk';
import { cookies, draftMode } from 'next/headers';
import { blog } from './blog';

/** The post of the preview that this visitor has opened, on the page of that post; undefined for everybody else. */
export async function readDraft(slug: string): Promise<Post | undefined> {
  if (!(await draftMode()).isEnabled) return undefined;
  const token = (await cookies()).get('preview')?.value ?? '';
  const { data } = await blog.preview(token).safe();
  return data?.slug === slug ? data : undefined;
}

/** The banner with the link that ends the preview, for the layout. During a preview, no page comes from the cache. */
export async function PreviewBanner() {
  return (await draftMode()).isEnabled && <a href="/preview">Leave the preview</a>;
}
