export default defineEventHandler(async (event) => {
  const { token } = await readBody(event);
  const { ok } = await blog.ads.click(token, { visitor: event.node.req }).safe();
  return { ok };
});
