/**
 * The style of an ad. It uses the page's colours and font, and sizes relative to the page's text. It is themed by
 * `--broadsheet-*` and `::part()`. Title and content share the lines for which the box has room. The label of an ad
 * without words is above its image, because an image that has not loaded has no height; a click beside the image does not
 * follow the link.
 */
export const SHEET = `\
:host{display:block;height:100%;container-type:inline-size;font-size:var(--broadsheet-text)}\
.ad{all:initial;display:flex;box-sizing:border-box;max-width:728px;max-height:100%;margin:auto;overflow:hidden;\
font-family:inherit;font-size:inherit;line-height:1.4;visibility:inherit;color:var(--broadsheet-ink,inherit);\
background:var(--broadsheet-paper,color-mix(in srgb,currentColor 4%,transparent));\
border:1px solid var(--broadsheet-line,color-mix(in srgb,currentColor 15%,transparent));border-radius:var(--broadsheet-radius,8px)}\
.INLINE,.NATIVE,.bare{max-width:none;background:none;border-inline:0;border-radius:0}\
.link{font:var(--broadsheet-font);flex:1;min-width:0;display:flex;gap:.75em;padding:.75em;color:inherit;text-decoration:none;outline-offset:-3px}\
.INLINE .link,.NATIVE .link{padding-inline:0}\
.image{width:min(30%,9.25em);max-height:100%;min-height:0;aspect-ratio:3/2;align-self:start;object-fit:cover;background:#f6f6f4;border-radius:5px}\
.whole{object-fit:contain;padding:6px;box-sizing:border-box}\
.text{flex:1;min-width:0;display:flex;flex-wrap:wrap;gap:.15em 1em;align-content:space-between;overflow-wrap:anywhere}\
span{display:block;unicode-bidi:plaintext}\
.title{font-weight:600;line-height:1.25}\
.content,.action,.label{font-size:max(.9em,14px)}\
.content,.label{opacity:.75}\
.words,.action{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden}\
.words{-webkit-line-clamp:3;width:100%}\
.action{flex-grow:1;color:var(--broadsheet-accent,inherit);text-decoration:underline}\
.SIDEBAR .link,.NATIVE .link{flex-direction:column}\
.SIDEBAR .image,.NATIVE .image{width:100%;aspect-ratio:16/9}\
.SIDEBAR .words,.NATIVE .words{-webkit-line-clamp:4}\
@container(width>26em){.NATIVE .words{-webkit-line-clamp:9}.NATIVE .link{flex-direction:row}.NATIVE .image{width:min(50%,27em);aspect-ratio:3/2}.NATIVE .image+* .title{font-size:1.25em}}\
.bare{border:0}\
.bare .link{flex-direction:column;align-items:center;gap:0;padding:0;pointer-events:none}\
.bare .link>*{pointer-events:auto}\
.bare .text{order:-1;flex:none}\
.bare .image.image{width:auto;max-width:100%;aspect-ratio:auto;align-self:auto}`;

const sheets: Record<string, CSSStyleSheet> = {};

/** One constructed style sheet per text: allowed under every Content-Security-Policy, parsed once for all slots. */
export function sheet(text: string): CSSStyleSheet {
  const made = sheets[text] ?? new CSSStyleSheet();
  if (!sheets[text]) made.replaceSync(text);
  sheets[text] = made;
  return made;
}
