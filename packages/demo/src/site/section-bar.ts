import { addressOf } from './addresses.ts';
import { blog } from './blog.ts';
import { el, shell } from './element.ts';

/** Fills the bar below the title with the sections of the blog and marks the one that is shown. */
export async function startSectionBar(): Promise<void> {
  const bar = shell('#sections ul');
  document.addEventListener('site:arrived', mark);
  try {
    const sections = await blog.categories.list();
    bar.append(...sections.map(({ id, name }) => el('li', {}, el('a', { href: addressOf.category(id) }, name))));
    mark();
  } catch {
    // The page itself says what is wrong with the server; without sections the bar still leads home.
  }

  function mark(): void {
    for (const link of bar.querySelectorAll('a')) {
      if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  }
}
