/**
 * The style of an ad. Themed from outside by `--broadsheet-*` and `::part()`. The label has its own row above the
 * link, and an image beside text fills its box. Title and content share the lines for which the box has room.
 */
export const SHEET = `\
:host{display:block}\
*{unicode-bidi:plaintext}\
.ad{all:initial;container-type:size;min-height:5rem;display:flex;flex-direction:column-reverse;\
box-sizing:border-box;font-family:inherit;font-size:.875rem;line-height:1.4;color-scheme:inherit;visibility:inherit;height:100%;\
overflow:hidden;color:var(--broadsheet-ink,CanvasText);background:var(--broadsheet-paper,Canvas);border:1px solid var(--broadsheet-line,#8888);\
border-radius:var(--broadsheet-radius,6px)}\
.label{padding:1px .75rem;font-size:.75rem}\
.link{font:var(--broadsheet-font);flex:1;min-height:0;display:flex;color:inherit;text-decoration:none;outline-offset:-3px}\
.image{flex:0 0 min(30%,9rem);min-width:0;min-height:0;object-fit:cover}\
.text{flex:1;min-width:0;padding:0 .75rem;align-content:center;overflow-wrap:anywhere}\
.words{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}\
span{display:block}\
.title{font-weight:600}\
.action{color:var(--broadsheet-accent,LinkText);text-decoration:underline;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}\
@container(height>7.5rem){.words{-webkit-line-clamp:4}}\
@container(height>12rem){.link{flex-direction:column}.image{flex-basis:55%}.words{-webkit-line-clamp:5}\
.plain .text{font-size:clamp(1.4em,4cqi,1.9em)}.plain .words{-webkit-line-clamp:8}}\
@container(height>12rem) and (width>30rem){.link{flex-direction:row}.image{flex-basis:min(50%,27rem)}.text{font-size:1.4em}\
.words{-webkit-line-clamp:8}.plain .words{-webkit-line-clamp:6}}\
.bare{border:0;background:none;text-align:center}\
.bare .image{flex:initial;max-width:100%;max-height:100%;margin:auto;object-fit:contain}`;

const sheets: Record<string, CSSStyleSheet> = {};

/** One constructed style sheet per text: allowed under every Content-Security-Policy, parsed once for all slots. */
export function sheet(text: string): CSSStyleSheet {
  let made = sheets[text];
  if (!made) {
    sheets[text] = made = new CSSStyleSheet();
    made.replaceSync(text);
  }
  return made;
}
