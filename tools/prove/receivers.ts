import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, openSite } from '../testing/site.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';

/** How a receiver treats the messages that it gets. */
export type Mood = 'well' | 'failing' | 'slow' | 'closing';

/** A receiver of the webhooks of one blog. */
export interface Receiver {
  readonly url: string;
  readonly blog: string;
  mood: Mood;
  close(): Promise<void>;
}

export async function openReceiver(blog: string, history: History, random: Random): Promise<Receiver> {
  const state: { mood: Mood } = { mood: 'well' };
  const site = await openSite(async (request, response) => {
    const end = history.begin();
    const { type, timestamp, data } = JSON.parse(await bodyOf(request));
    if (state.mood === 'slow') await sleep(random.below(4000));
    const status = state.mood === 'failing' ? 500 : 200;
    const entry = { kind: 'message', blog, id: String(request.headers['webhook-id']), type } as const;
    // A receiver that breaks the connection may have taken the message or not.
    end({
      ...entry,
      subject: data.id ?? '',
      changed: Date.parse(timestamp),
      status: state.mood === 'closing' ? 0 : status,
    });
    if (state.mood === 'closing') response.destroy();
    else response.writeHead(status).end();
  });
  return {
    url: site.url,
    blog,
    get mood() {
      return state.mood;
    },
    set mood(mood) {
      state.mood = mood;
    },
    close: site.close,
  };
}
