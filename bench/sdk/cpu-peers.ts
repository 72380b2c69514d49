/** One call that lists posts. */
export type Call = () => Promise<unknown>;

const BASE = 'https://blog.example';

/** Other clients with a `fetch` that responds at once, each used as its guide recommends, if it is installed. */
export const peers: Readonly<Record<string, (fetch: () => Promise<Response>) => Promise<Call>>> = {
  ky: async (fetch) => {
    const { default: ky } = await import('ky');
    return () => ky.get(`${BASE}/public/posts`, { fetch }).json();
  },
  'ky+zod': async (fetch) => {
    const [{ default: ky }, z] = await Promise.all([import('ky'), import('zod/mini')]);
    const label = z.looseObject({ id: z.string(), name: z.string(), blogId: z.string() });
    const text = z.string();
    const time = z.nullable(z.iso.datetime());
    const post = z.looseObject({
      id: text,
      title: text,
      subtitle: text,
      content: text,
      slug: text,
      status: text,
      publishedAt: time,
      scheduledAt: time,
      blogId: text,
      authorId: text,
      createdAt: time,
      updatedAt: time,
      categories: z.array(label),
      tags: z.array(label),
    });
    const envelope = z.looseObject({ success: z.literal(true), data: z.array(post) });
    return () => ky.get(`${BASE}/public/posts`, { fetch }).json(envelope);
  },
  'openapi-fetch': async (fetch) => {
    const { default: create } = await import('openapi-fetch');
    const client = create<Record<string, never>>({ baseUrl: BASE, fetch });
    return () => client.GET('/public/posts' as never);
  },
  stripe: async (fetch) => {
    const { default: Stripe } = await import('stripe');
    const stripe = new Stripe('key', { httpClient: Stripe.createFetchHttpClient(fetch), telemetry: false });
    return () => stripe.rawRequest('GET', '/v1/posts');
  },
  openai: async (fetch) => {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ apiKey: 'key', baseURL: BASE, fetch });
    return () => client.get('/public/posts');
  },
  // It has no `fetch` option, so an adapter reads the same response.
  contentful: async (fetch) => {
    const { createClient } = await import('contentful');
    const adapter = async (config: object) => {
      const response = await fetch();
      const headers = Object.fromEntries(response.headers);
      return { data: await response.text(), status: 200, statusText: 'OK', headers, config };
    };
    const client = createClient({ space: 'space', accessToken: 'key', adapter: adapter as never });
    return () => client.withoutLinkResolution.getEntries();
  },
};
