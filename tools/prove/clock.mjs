// Preloaded into a server with `node --import`: moves its clock by the milliseconds in the file CLOCK_FILE.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_FILE ?? '';
const now = Date.now;
let ahead = 0;
let readAt = Number.NEGATIVE_INFINITY;
// The file is read when the time is asked for, because a watcher is late when the machine is busy.
Date.now = () => {
  if (performance.now() - readAt > 50) {
    ahead = Number(readFileSync(file, 'utf8')) || 0;
    readAt = performance.now();
  }
  return now() + ahead;
};
globalThis.Date = class extends Date {
  constructor(...args) {
    if (args.length === 0) super(Date.now());
    else super(...args);
  }
  static now = Date.now;
};
