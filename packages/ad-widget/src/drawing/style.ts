/** The look of an ad. Themed from outside by `--broadsheet-*` and `::part()`. */
export const SHEET = `\
:host{display:block}\
*{unicode-bidi:plaintext}\
.ad{--accent:var(--broadsheet-accent,LinkText);--paper:var(--broadsheet-paper,Canvas);all:initial;display:block;box-sizing:border-box;\
font-family:inherit;font-size:.875rem;line-height:1.4;color-scheme:inherit;visibility:inherit;position:relative;height:100%;overflow:hidden;\
color:var(--broadsheet-ink,CanvasText);background:var(--paper);border:1px solid var(--broadsheet-line,#8888);\
border-radius:var(--broadsheet-radius,6px)}\
.link{font:var(--broadsheet-font);display:flex;height:100%;color:inherit;text-decoration:none;outline-offset:-3px}\
.image{flex:0 0 min(30%,9rem);min-width:0;min-height:0;object-fit:contain}\
.text{flex:1;min-width:0;padding:1.5rem .75rem 0;align-content:center;overflow-wrap:anywhere}\
.text>*{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden}\
.title{font-weight:600}\
.action{color:var(--accent);text-decoration:underline}\
.label{position:absolute;top:.25rem;inset-inline-end:.25rem;padding:0 .25rem;font-size:.75rem;background:var(--paper);pointer-events:none}\
.INLINE .content{-webkit-line-clamp:2}\
@media(width<30rem){.BANNER .content{-webkit-line-clamp:2}}\
.NATIVE{container-type:inline-size}\
:is(.SIDEBAR,.NATIVE) .link{flex-direction:column}\
:is(.SIDEBAR,.NATIVE) .image{flex-basis:55%}\
:is(.SIDEBAR,.NATIVE) .content{-webkit-line-clamp:3}\
:is(.SIDEBAR,.NATIVE).plain .text{font-size:1.4em}\
:is(.SIDEBAR,.NATIVE).plain .text>*{-webkit-line-clamp:2}\
:is(.SIDEBAR,.NATIVE).plain .content{-webkit-line-clamp:5}\
@container(width>30rem){.NATIVE .link{flex-direction:row}.NATIVE .image{flex-basis:min(50%,27rem)}.NATIVE .text{font-size:1.4em}\
.NATIVE.plain .text{font-size:min(4cqi,1.9em)}.NATIVE.plain .content{-webkit-line-clamp:3}}\
.bare{border:0;background:none}\
.bare .image{flex:initial;max-width:100%;max-height:100%;margin:auto}`;

const sheets: Record<string, CSSStyleSheet> = {};

/** One constructed style sheet per text: allowed under every policy, parsed once for all slots. */
export function sheet(text: string): CSSStyleSheet {
  let made = sheets[text];
  if (!made) {
    sheets[text] = made = new CSSStyleSheet();
    made.replaceSync(text);
  }
  return made;
}
