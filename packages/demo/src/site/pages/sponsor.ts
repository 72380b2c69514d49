import { el } from '../element.ts';
import type { Screen } from '../view.ts';

/** Where the ads of the sample blog lead: the page an advertiser would have. */
export const sponsor: Screen = ({ name }) => {
  const title = name.replace(/(^|-)([a-z])/g, (_, gap, letter) => (gap ? ' ' : '') + letter.toUpperCase());
  const picture = el('img', {
    src: `/demo/art/sponsors/${encodeURIComponent(name)}.svg`,
    alt: '',
    width: 960,
    height: 640,
  });
  const node = el(
    'article',
    { class: 'post sponsor' },
    el(
      'header',
      { class: 'post-head' },
      el('p', { class: 'kicker' }, 'Advertiser'),
      el('h1', { class: 'headline', tabindex: -1 }, title),
    ),
    el('figure', { class: 'post-picture' }, picture),
    el(
      'p',
      { class: 'standfirst' },
      'This is where the advertiser’s own page would be. Your click was reported on the way here: the ad desk has it.',
    ),
    el('p', {}, el('a', { class: 'button', href: '/' }, 'Back to the front page')),
  );
  return { title, node };
};
