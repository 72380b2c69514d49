import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ChromiumStage } from '../../../tools/testing/stage.ts';
import { MANAGER, type PanelServer } from './panel-server.ts';
import { type Visitor, visit } from './visitor.ts';

/**
 * Puts a text into every field and opens every page: it must stay text.
 *
 * @param others texts that are put into the fields of further posts, labels and ads
 */
export async function staysText(
  stage: ChromiumStage,
  panel: PanelServer,
  words: string,
  others: readonly string[] = [],
): Promise<void> {
  // Each once, because two posts cannot have the same slug.
  const [text = '', ...rest] = new Set([words, ...others].map((one) => one.replaceAll('\u0000', '')));
  const [blog, ad, name] = [randomUUID(), randomUUID(), text.slice(0, 100)];
  const more = rest.map((other) => ({ id: randomUUID(), text: other }));
  const { store } = panel;
  await store.importBlogs([hostileBlog(blog, [{ id: ad, text }, ...more])], Date.now());
  await store.invitePerson({ name, role: 'view', blogId: blog }, randomUUID(), Date.now());
  await store.writeLog({ at: new Date().toISOString(), who: text, blogId: blog, what: text });
  const { page, complaints } = await visit(stage, panel, MANAGER);
  const q = encodeURIComponent(text);
  const odd: string[] = [];
  for (const path of [
    `/${blog}`,
    `/${blog}?q=${q}&ad=${ad}&metric=${q}&sort=${q}&from=${q}&done=${q}`,
    `/${blog}/ads?q=${q}&state=${q}&sort=${q}`,
    ...[ad, ...more.map(({ id }) => id)].flatMap((id) => [`/${blog}/ads/${id}`, `/${blog}/posts/post-${id}`]),
    `/${blog}/ads.add?copy=${ad}&campaign=${q}`,
    `/${blog}/posts?q=${q}&status=${q}&page=${q}`,
    `/${blog}/posts/${q}`,
    `/${blog}/bin?q=${q}`,
    `/${blog}/campaigns`,
    `/${blog}/embed?slot=${q}&slot=BANNER&pin=${q}`,
    `/${blog}/keys`,
    `/${blog}/keys.rotate`,
    `/${blog}/settings`,
    '/blogs',
    '/people',
    `/people?q=${encodeURIComponent(name)}`,
    `/log?blog=${q}&q=${q}`,
    '/log',
    `/sign-in?token=${q}`,
  ]) {
    await page.goto(`${panel.url}/panel${path}`);
    odd.push(...(await foreignElements(page)).map((element) => `${path}: ${element}`));
  }
  // The page of a rejected form contains the typed text.
  const session = await panel.session(MANAGER);
  for (const [path, form] of Object.entries({
    [`/${blog}/ads.add`]: {
      format: text,
      title: text,
      content: text,
      linkUrl: text,
      imageUrl: text,
      priority: text,
      startsAt: text,
    },
    [`/${blog}/posts.publish`]: { post: `post-${ad}`, at: text },
    [`/${blog}/blogs.domains`]: { domains: text },
    [`/${blog}/blogs.delete`]: { id: text },
    [`/${blog}/import`]: { file: new File([text], text) },
    '/people/panel.invite': { name: `${text}${'x'.repeat(100)}`, role: text, blog: text },
    '/blogs/blogs.create': { id: blog, name: text.slice(0, 80) },
  })) {
    const response = await panel.ask(session, `/panel${path}`, { form });
    // A blog with this id exists, so the result is a conflict.
    expect(response.status, path).toBe(path === '/blogs/blogs.create' ? 409 : 400);
    await page.route(
      '**/panel/response',
      (route) => response.text().then((body) => route.fulfill({ body, contentType: 'text/html' })),
      { times: 1 },
    );
    await page.goto(`${panel.url}/panel/response`);
    odd.push(...(await foreignElements(page)).map((element) => `response of ${path}: ${element}`));
  }
  expect(odd).toEqual([]);
  expect(complaints.filter((message) => /trusted/i.test(message))).toEqual([]);
}

/** A blog with a post, a category, a tag and an ad for each text; the first is also in the fields of the blog. */
function hostileBlog(id: string, texts: readonly { readonly id: string; readonly text: string }[]) {
  const [{ text: first } = { text: '' }] = texts;
  return {
    id,
    name: first,
    domains: [first],
    categories: texts.map(({ id: item, text }) => ({ id: item, name: text })),
    tags: texts.map(({ id: item, text }) => ({ id: item, name: text })),
    posts: [
      ...texts.map(({ id: item, text }) => ({
        id: `post-${item}`,
        title: text,
        subtitle: text,
        slug: text,
        content: text,
        authorId: text,
        coverUrl: text,
        status: 'DRAFT' as const,
      })),
      { id: first, title: 'odd', slug: 'odd' },
    ],
    ads: texts.map(({ id: item, text }) => ({
      ...{ id: item, format: 'BANNER' as const, title: text, content: text, linkText: text },
    })),
  };
}

/** Elements that pages of the panel do not contain themselves; `it ran` if a script ran in the page or in a frame. */
export async function foreignElements(page: Visitor['page']): Promise<string[]> {
  for (const frame of page.frames()) {
    const ran = await frame.evaluate(() => (globalThis as { ran?: boolean }).ran === true).catch(() => false);
    if (ran) return ['it ran'];
  }
  const own = 'script[src^="/panel/assets/"], svg.share, svg.chart-wide, svg.chart-narrow';
  const foreign = 'img, math, template, style, object, embed, a[href^="javascript:" i], iframe[srcdoc], script, svg';
  return page.evaluate(
    ([selector, except]) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => !element.matches(except))
        .map((element) => element.outerHTML.slice(0, 200)),
    [foreign, own] as const,
  );
}
