import { adState, type ServerStore } from '@broadsheet/management';
import { html } from 'hono/html';
import type { Html } from './site/story.ts';

/** The content of the ad desk: the figures of each ad since the day of a timestamp, running ads first. */
export async function adFigures(store: ServerStore, blogId: string, since: number): Promise<Html> {
  const from = new Date(since).toISOString().slice(0, 10);
  const [ads, figures] = await Promise.all([store.listAllAds(blogId), store.figures(blogId, { by: ['ad'], from })]);
  const sum = (field: 'delivered' | 'clicks', adId?: string): number =>
    figures.reduce((total, figure) => total + (adId === undefined || figure.ad === adId ? figure[field] : 0), 0);
  const rows = ads
    .map((ad) => ({ ...ad, resting: adState(ad, Date.now()) !== 'running' }))
    .sort((a, b) => Number(a.resting) - Number(b.resting) || a.format.localeCompare(b.format))
    .map(
      ({ id, title, format, resting }) =>
        html`<tr class="${resting ? 'resting' : ''}"><th scope="row"><span>${title ?? id}</span><small>${format}${resting && ', resting'}</small></th><td>${sum('delivered', id)}</td><td>${sum('clicks', id)}</td></tr>`,
    );
  return html`<p class="totals">${sum('delivered')} shown · ${sum('clicks')} clicked</p><table><tbody>${rows}</tbody></table>`;
}
