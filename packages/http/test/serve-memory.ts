import type { MemoryStore } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';
import { onTestFinished } from 'vitest';
import { createServer } from '../src/create-server.ts';
import type { RunningServer, ServerOptions } from '../src/server-options.ts';
import { memoryServerStore, TEST_BLOG } from './memory-server-store.ts';

/** A server over an in-memory store with {@link TEST_BLOG}, closed when the test finishes. */
export async function serveMemory(
  options: Partial<ServerOptions> = {},
  changes: Partial<SqlStore> = {},
): Promise<{ readonly server: RunningServer; readonly memory: MemoryStore }> {
  const { store, memory } = memoryServerStore(changes);
  memory.putBlog(TEST_BLOG, Date.now());
  const server = await createServer({ store, port: 0, ...options });
  onTestFinished(() => server.close());
  return { server, memory };
}
