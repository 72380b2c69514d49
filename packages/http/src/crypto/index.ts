export { keyedFingerprint, keyedHmac } from './keyed.ts';
export { systemRandom } from './random.ts';
