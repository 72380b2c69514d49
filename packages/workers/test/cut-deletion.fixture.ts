import { BlogObject as Original } from '../src/index.ts';

export { default } from '../src/index.ts';

const cut = new Set<string>();

/** An index that is lost when it is notified of the deletion of a blog for the first time. */
export class BlogObject extends Original {
  override async removeBlog(blogId: string): Promise<void> {
    if (!cut.has(blogId)) {
      cut.add(blogId);
      throw new Error('the index is lost');
    }
    await super.removeBlog(blogId);
  }
}
