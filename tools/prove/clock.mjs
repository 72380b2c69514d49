// Preloaded into a server with `node --import`: moves its clock by the milliseconds in the file CLOCK_FILE.
import { readFileSync, watchFile } from 'node:fs';

const file = process.env.CLOCK_FILE ?? '';
const now = Date.now;
const read = () => Number(readFileSync(file, 'utf8')) || 0;
let ahead = read();
watchFile(file, { interval: 50 }, () => {
  ahead = read();
}).unref();
Date.now = () => now() + ahead;
globalThis.Date = class extends Date {
  constructor(...args) {
    if (args.length === 0) super(now() + ahead);
    else super(...args);
  }
  static now = Date.now;
};
