import axe from 'axe-core';
import { act, createElement, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createApp, h } from 'vue';
import { actUntil, inside, next, page, recorder, start } from '../../test/browser-page.ts';
import { createRehearsal } from '../delivery/rehearsal.ts';
import { AdSlot } from './react.ts';
import { AdSlot as VueSlot } from './vue.ts';

test('React hydrates around an existing ad without an error, and the ad stays', async () => {
  const tree = createElement(StrictMode, null, createElement(AdSlot, { name: 'top', format: 'BANNER' }));
  page(`<div id="app">${renderToString(tree)}</div>`);
  const { batches, transport } = recorder();
  const seen = next('filled');
  start({ transport });
  await seen;
  const complaints: unknown[] = [];
  const app = document.querySelector('#app');
  if (!app) throw new Error('the page has no #app');
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const root = await act(async () => hydrateRoot(app, tree, { onRecoverableError: (error) => complaints.push(error) }));
  expect(complaints).toEqual([]);
  expect(inside('broadsheet-slot', '.title')?.textContent).toBe('Ad for top');
  expect(batches).toHaveLength(1);
  await act(async () => root.unmount());
});

test('React hydrates a list with slots without an error, and the slots share one delivery', async () => {
  const item = createElement('li', { 'data-broadsheet-slot': 'item', 'data-format': 'BANNER', style: { height: 112 } });
  const tree = createElement('ul', null, item);
  page(`<div id="app">${renderToString(tree)}</div>`);
  const before = document.querySelector('li');
  const { batches, transport } = recorder();
  const ads = start({ transport });
  // Longer than it takes to request an ad.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const complaints: unknown[] = [];
  const app = document.querySelector('#app');
  if (!app) throw new Error('the page has no #app');
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const root = await act(async () => hydrateRoot(app, tree, { onRecoverableError: (error) => complaints.push(error) }));
  await expect.poll(() => ads.stats().rendered).toBe(1);
  expect(complaints).toEqual([]);
  expect(document.querySelector('li')).toBe(before);
  expect(batches).toHaveLength(1);
  await act(async () => root.unmount());
});

test('a slot rendered by Vue is filled', async () => {
  page('<div id="app"></div>');
  const seen = next('filled');
  start({ transport: recorder().transport });
  const app = createApp({ render: () => h(VueSlot, { name: 'top', format: 'BANNER' }, () => h('p', 'House')) });
  app.mount('#app');
  await seen;
  expect(document.querySelector('#app broadsheet-slot')?.getAttribute('format')).toBe('BANNER');
  expect(inside('broadsheet-slot', '.title')?.textContent).toBe('Ad for top');
  app.unmount();
});

test('axe finds no violations in the five formats', async () => {
  document.documentElement.lang = 'en';
  document.title = 'Ads';
  page(
    `<main><h1>Ads</h1>${['BANNER', 'SIDEBAR', 'INLINE', 'NATIVE', 'POPUP']
      .map((format) => `<broadsheet-slot name="${format}" format="${format}"></broadsheet-slot>`)
      .join('')}</main>`,
  );
  const ads = start({ transport: createRehearsal() });
  await expect.poll(() => ads.stats().rendered).toBe(4);
  await actUntil(() => ads.stats().rendered === 5);
  // The corner card fades in; axe must see its final colours.
  const card = inside('[format=POPUP]', '.ad');
  if (!card) throw new Error('the popup did not open');
  await Promise.all(card.getAnimations().map(({ finished }) => finished));
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ any }) => any.map(({ message }) => message))])).toEqual(
    [],
  );
});
