import type { SqlStore } from '@broadsheet/store';
import { addImage } from '../operations/images.ts';
import type { ImportParts } from './import-parts.ts';
import type { BlogVerbs } from './verbs.ts';

/** The verbs of a blog over a store. */
export function createBlogVerbs(store: SqlStore & ImportParts): BlogVerbs {
  return {
    ...store,
    addImage: (blogId, base64) => addImage(store, blogId, base64),
    createBlog: (blogId, blog) => store.createBlog({ ...blog, id: blogId }),
  };
}
