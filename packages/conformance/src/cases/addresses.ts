import { equal } from '../expect.ts';
import { ODD_IDS } from '../fixture/posts.ts';
import { read, readPage } from '../success.ts';
import { section } from '../target.ts';

const seeded = section({ section: 'decided', needs: ['snapshot'] });
const encode = encodeURIComponent;

/** Ids and slugs are matched whole after URL-decoding. */
export const addressCases = [
  seeded('a post of any id and slug is found by them, URL-encoded', async (target) => {
    for (const id of ODD_IDS) {
      const post = await read<{ id: string; slug: string }>(target, `/public/posts/${encode(id)}`);
      equal([post.id, post.slug], [id, `${id}/s`], `post ${id.slice(0, 30)}`);
      const same = await read<{ id: string }>(target, `/public/posts/slug/${encode(`${id}/s`)}`);
      equal(same.id, id, `slug of ${id.slice(0, 30)}`);
    }
  }),
  seeded('categories and tags of any id are found by it, and so are their posts', async (target) => {
    for (const id of ODD_IDS) {
      for (const kind of ['categories', 'tags']) {
        equal((await read<{ id: string }>(target, `/public/${kind}/${encode(id)}`)).id, id, kind);
        const { items } = await readPage<{ id: string }>(target, `/public/${kind}/${encode(id)}/posts`);
        equal(
          items.map((item) => item.id),
          [id],
          `posts of ${kind} ${id.slice(0, 30)}`,
        );
      }
    }
  }),
  seeded('an escape stands for its character, needed or not', async (target) => {
    equal((await read<{ id: string }>(target, '/public/posts/%70ost%2D01')).id, 'post-01', 'post-01 in escapes');
    equal((await read<{ id: string }>(target, '/public/posts/%41')).id, 'A', '%41 is A');
    equal((await read<{ id: string }>(target, '/public/posts/%2541')).id, '%41', '%2541 is %41');
    equal((await read<{ id: string }>(target, '/public/posts/+plus+')).id, '+plus+', 'a plus in a path is a plus');
  }),
];
