/** The look of an ad. Themed from outside by `--broadsheet-*` and `::part()`. */
export const SHEET = `\
:host{display:block;--a:var(--broadsheet-accent,light-dark(#0b57d0,#a8c7fa));}\
*{box-sizing:border-box;unicode-bidi:plaintext}\
.ad{--lines:1;--row:row;--wide:min(30%,9rem);--high:100%;position:relative;height:100%;overflow:hidden;\
font:var(--broadsheet-font,.875rem/1.4 system-ui);color:var(--broadsheet-ink,light-dark(#222,#eee));\
background:var(--broadsheet-paper,light-dark(#fff,#222));border:1px solid var(--broadsheet-line,light-dark(#ccc,#555));\
border-radius:var(--broadsheet-radius,6px)}\
.INLINE,.POPUP{--lines:2}\
@media(width<30rem){.BANNER{--lines:2}}\
.SIDEBAR,.NATIVE{--lines:3;--row:column;--wide:100%;--high:55%}\
.NATIVE{container-type:inline-size;min-width:min(100%,16rem)}\
.link{display:flex;flex-direction:var(--row);height:100%;color:inherit;text-decoration:none}\
.link:focus-visible{outline:3px solid var(--a);outline-offset:-3px}\
.image{width:var(--wide);height:var(--high);object-fit:contain}\
@container(width>30rem){.link.link{flex-direction:row}.image.image{width:min(50%,27rem);height:100%}.text.text{--size:1.4em;align-content:center}}\
.bare{border:0;background:none}\
.bare .image.image{width:auto;height:auto;max-width:100%;max-height:100%;margin:auto}\
.SIDEBAR.plain,.NATIVE.plain{--lines:5;--title:2;--size:1.4em}\
.plain .text{align-content:center}\
.text{flex:1;min-width:0;padding:1.5rem .75rem 0;overflow-wrap:anywhere;font-size:var(--size,1em)}\
.text>*{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:var(--title,1);overflow:hidden}\
.title{font-weight:600}\
.text>.content{-webkit-line-clamp:var(--lines)}\
.action{color:var(--a);text-decoration:underline}\
.label{position:absolute;top:.25rem;inset-inline-end:.25rem;padding:0 .25rem;font-size:.75rem;background:inherit;pointer-events:none}\
.bare .label{background:var(--broadsheet-paper,light-dark(#fff,#222))}`;

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
