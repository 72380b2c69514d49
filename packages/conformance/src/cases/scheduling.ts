import type { Post } from '@broadsheet/contract';
import { equal, holds, present } from '../expect.ts';
import { send } from '../send.ts';
import { read, readSearch } from '../success.ts';
import { ids } from '../survey.ts';
import { section } from '../target.ts';

const MINUTE = 60_000;
const scheduled = section({ section: 'decided', effect: 'counts', needs: ['snapshot', 'clock', 'schedule'] });

/** Scheduled posts. These cases come last because their posts stay on the target. */
export const schedulingCases = [
  scheduled('a scheduled post is published at its time, by the first request after it', async (target) => {
    const { clock, schedule } = target;
    const post = { id: 'due', title: 'Punctual quixotic', slug: 'due' };
    const first = async (path: string) => (await send(target, path)).status;
    await present(schedule, 'a way to write posts')(post, 10 * MINUTE);
    const etag = present((await send(target, '/public/posts')).headers.get('etag'), 'ETag');
    await present(clock, 'the clock').advance(9 * MINUTE);
    equal([await first('/public/posts/due'), await first('/public/posts/slug/due')], [404, 404], 'before its time');
    equal((await readSearch(target, 'q=punctual')).data, [], 'what a search finds before');
    const before = await send(target, '/public/posts', { headers: { 'If-None-Match': etag } });
    equal(before.status, 304, 'status with the ETag before its time');

    await present(clock, 'the clock').advance(MINUTE);
    const after = await send(target, '/public/posts', { headers: { 'If-None-Match': etag } });
    equal(after.status, 200, 'status with the old ETag');
    holds(after.headers.get('etag') !== etag, 'the ETag changes');
    const found = await read<Post>(target, '/public/posts/due');
    equal([found.status, found.publishedAt], ['PUBLISHED', found.scheduledAt], 'the post');
    equal((await read<Post>(target, '/public/posts/slug/due')).id, 'due', 'the post by its slug');
    const [newest] = await read<Post[]>(target, '/public/posts?limit=1');
    equal(newest?.id, 'due', 'the newest post');
    equal(ids((await readSearch(target, 'q=punctual')).data), ['due'], 'what a search finds');
    equal((await send(target, '/public/posts/due')).headers.get('etag'), after.headers.get('etag'), 'the ETag later');
  }),
];
