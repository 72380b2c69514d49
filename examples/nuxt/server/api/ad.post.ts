export default defineEventHandler(async (event) => {
  const body = await readBody(event).catch(() => undefined);
  const { ok, error } = await blog.ads.click(String(body?.token), { visitor: event.node.req }).safe();
  if (!ok) setResponseStatus(event, error.status ?? 502);
  return { ok };
});
