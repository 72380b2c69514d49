import { FORMATS, setting } from '../slots/attributes.ts';

/** Why `host` is no slot; `undefined` when it is one, also when its format was set late. */
export function unknownFormat(host: Element): string | undefined {
  const format = setting(host, 'format') ?? '';
  if (FORMATS.includes(format.toUpperCase())) return undefined;
  const [tag] = host.outerHTML.split('>');
  return `unknown format "${format}" of ${tag}>; use one of ${FORMATS.join(', ')}`;
}
