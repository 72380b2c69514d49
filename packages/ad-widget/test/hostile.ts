/** Ad texts that would run something if any of them were ever parsed as markup. */
export const HOSTILE_WORDS = [
  '<script>globalThis.ran = true</script>',
  '<img src=x onerror="globalThis.ran = true">',
  '"><svg onload="globalThis.ran = true">',
  '</span><iframe srcdoc="<script>parent.ran = true</script>">',
  '<math><mtext><table><mglyph><style><img src=x onerror="globalThis.ran=true">',
  '<template shadowrootmode=open><img src=x onerror="globalThis.ran=true"></template>',
  '<a href="javascript:globalThis.ran=true">x</a>',
  '{{constructor.constructor("globalThis.ran = true")()}}',
  '<style>*{display:none!important}</style>',
  '\u202Eevil\u0000',
];

/** URLs that must be neither followed nor loaded. */
export const HOSTILE_ADDRESSES = [
  'javascript:globalThis.ran=true',
  ' JaVaScRiPt:globalThis.ran=true',
  'java\nscript:globalThis.ran=true',
  'java\tscript:globalThis.ran=true',
  'java\0script:globalThis.ran=true',
  '\u0001javascript:globalThis.ran=true',
  'javascript&colon;globalThis.ran=true',
  'javascript\u003aglobalThis.ran=true',
  'javascript://example.com/%0aglobalThis.ran=true',
  'view-source:javascript:globalThis.ran=true',
  'data:text/html,<script>parent.ran=true</script>',
  'data:image/svg+xml,<svg onload="globalThis.ran=true"/>',
  'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9InBhcmVudC5yYW49dHJ1ZSIvPg==',
  'vbscript:x',
  'blob:https://example.com/1',
  'filesystem:https://example.com/temporary/x',
  'file:///etc/passwd',
  'intent://x#Intent;end',
  '//example.com',
  '/relative',
  '',
];
