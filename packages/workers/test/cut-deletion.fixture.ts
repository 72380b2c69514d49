import { BlogObject as Original } from '../src/index.ts';

export { default } from '../src/index.ts';

const cut = new Set<string>();

/** An index that fails the first time that it is notified of the deletion of a blog. */
export class BlogObject extends Original {
  override async removeBlog(blogId: string): Promise<void> {
    if (!cut.has(blogId)) {
      cut.add(blogId);
      throw new Error('the index is lost');
    }
    await super.removeBlog(blogId);
  }
}
