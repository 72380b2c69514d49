export default defineEventHandler(async (event) => {
  setHeader(event, 'cache-control', 'no-store');
  const { data } = await blog.ads.deliver('BANNER', { visitor: event.node.req, timeout: 1_000 }).safe();
  return data ?? { filled: false };
});
