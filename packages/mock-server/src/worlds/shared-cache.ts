import { type AnswerCache, createAnswerCache } from '@broadsheet/core';

/**
 * One cache of answers for all worlds of a mock, each with a part that the others do not see: ten thousand worlds need
 * no more room than one.
 */
export function createSharedCache(maxBytes: number): () => AnswerCache {
  const cache = createAnswerCache(maxBytes);
  let worlds = 0;
  return () => {
    worlds += 1;
    const mark = `${worlds} `;
    return {
      get: (key) => cache.get(mark + key),
      offer: (key, answer) => cache.offer(mark + key, answer),
    };
  };
}
