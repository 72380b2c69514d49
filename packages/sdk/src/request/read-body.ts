const decoder = new TextDecoder();

/** The text of a response, or `undefined` when it is longer than `max` bytes: a small response may expand to gigabytes. */
export async function readBody(response: Response, max: number): Promise<string | undefined> {
  if (!response.body) return response.text(); // without a body, or a test's stand-in for a response
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks.length > 1 ? join(chunks) : decoder.decode(chunks[0]);
    size += value.byteLength;
    if (size > max) {
      void reader.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(value);
  }
}

function join(chunks: readonly Uint8Array[]): string {
  const joining = new TextDecoder();
  return chunks.map((chunk) => joining.decode(chunk, { stream: true })).join('') + joining.decode();
}
