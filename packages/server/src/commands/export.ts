import { requireBlog } from '@broadsheet/management';
import { type DatabaseFlag, withStore } from '../database/database.ts';
import { printJson } from '../program/output.ts';

/** `broadsheet export BLOG` */
export async function exportBlog(id: string, flags: DatabaseFlag): Promise<void> {
  const blog = await withStore(flags, {}, async (store) => {
    await requireBlog(store, id);
    return store.exportBlog(id);
  });
  printJson({ blogs: [blog] });
}
