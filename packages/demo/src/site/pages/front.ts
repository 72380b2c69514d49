import { adSlot } from '../ad-slot.ts';
import { addressOf } from '../addresses.ts';
import { blog, blogName } from '../blog.ts';
import { el } from '../element.ts';
import { loadMore } from '../load-more.ts';
import { story } from '../story.ts';
import type { Screen } from '../view.ts';

/** Stories above the fold: one lead and three beside it. The river begins with as many again. */
const FOLD = 4;
const PAGE = 12;
/** After which story of the river an ad stands. */
const AFTER_INLINE = 3;
const AFTER_NATIVE = 6;

/** The front page: every post, newest first, with ads of four formats between them. */
export const front: Screen = async ({ signal }) => {
  const [page, tags] = await Promise.all([blog.posts.list({ limit: PAGE, signal }), blog.tags.list({ signal })]);
  const fold = page.items.slice(0, FOLD);
  const [lead, ...seconds] = fold;
  let drawn = 0;
  const river = loadMore(page, (post) => {
    drawn++;
    // The fold has shown these already.
    if (drawn <= fold.length) return el('span', { hidden: true });
    const row = story(post, 'row');
    const place = drawn - fold.length;
    if (place === AFTER_INLINE) return withAd(row, adSlot('river', 'INLINE'));
    if (place === AFTER_NATIVE) return withAd(row, adSlot('among-stories', 'NATIVE'));
    return row;
  });
  const node = el(
    'div',
    { class: 'front' },
    el('h1', { class: 'unseen', tabindex: -1 }, blogName),
    adSlot('leaderboard', 'BANNER'),
    lead
      ? el(
          'section',
          { class: 'fold', 'aria-label': 'Top stories' },
          story(lead, 'lead', 'h2'),
          ...seconds.map((post) => story(post, 'card', 'h2')),
        )
      : el('p', { class: 'notice' }, 'Nothing has been published yet.'),
    el(
      'div',
      { class: 'columns' },
      el(
        'section',
        { class: 'river', 'aria-labelledby': 'more' },
        el('h2', { id: 'more', class: 'rubric' }, 'More from this edition'),
        river,
      ),
      el(
        'aside',
        { class: 'rail', 'aria-label': 'Subjects' },
        el('h2', { class: 'rubric' }, 'Subjects'),
        subjects(tags),
        adSlot('rail', 'SIDEBAR'),
      ),
    ),
  );
  return { title: blogName, node };
};

function subjects(tags: Awaited<ReturnType<typeof blog.tags.list>>): HTMLElement {
  const items = tags
    .filter((tag) => tag._count.posts > 0)
    .map((tag) =>
      el(
        'li',
        {},
        el('a', { href: addressOf.tag(tag.id) }, tag.name),
        ' ',
        el('span', { class: 'count' }, String(tag._count.posts)),
      ),
    );
  return el('ul', { class: 'subjects' }, ...items);
}

const withAd = (row: HTMLElement, ad: HTMLElement): HTMLElement => el('div', { class: 'with-ad' }, row, ad);
