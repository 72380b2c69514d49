// One module, so that a bundler puts into one file what pages load on first use together: most pages show no ads.
export { createAdEvents } from '@broadsheet/core';
export { createHmac } from './hmac.ts';
