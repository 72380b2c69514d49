import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { median } from '../median.ts';
import { cache } from './database.ts';

const PAGES = Buffer.alloc(16 * 1024);

/** Milliseconds that this disk takes to make a few pages durable. No commit can be faster. */
export function flushTime(): number {
  const path = `${cache}flush`;
  const file = openSync(path, 'w');
  try {
    const times = Array.from({ length: 50 }, () => {
      writeSync(file, PAGES);
      const started = performance.now();
      fdatasyncSync(file);
      return performance.now() - started;
    });
    return median(times);
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
