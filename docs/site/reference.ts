/** The files of the interactive API reference, by name: Scalar with the server's own OpenAPI document. */
export const REFERENCE: Readonly<Record<string, string>> = {
  'reference.html': `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference | Broadsheet</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/scalar/page.css">
</head>
<body>
<header><a href="/docs/">Broadsheet</a><nav aria-label="Documentation"><a href="/docs/guides/five-minutes">Guides</a><a href="/docs/errors/">Errors</a><a href="/openapi.json">OpenAPI</a></nav></header>
<main id="reference"></main>
<script src="/docs/scalar/standalone.js"></script>
<script src="/docs/scalar/start.js"></script>
</body>
</html>
`,
  'scalar/page.css': `:root { color-scheme: light dark; --page-header: 3rem }
body { margin: 0; font-family: system-ui, sans-serif }
header { box-sizing: border-box; height: var(--page-header); padding: 0 1rem; display: flex; gap: 1.25rem; align-items: center;
  border-bottom: 1px solid light-dark(#ddd8cc, #3a3833); background: light-dark(#fff, #0f0f0f) }
header a { color: light-dark(#9c3322, #f08a72); text-decoration: none } header a:hover { text-decoration: underline }
header > a { font-weight: 600; color: light-dark(#24211c, #e9e5dc) }
header nav { display: flex; gap: 1.25rem; font-size: .9rem }
`,
  'scalar/start.js': `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'apiKey' },
  customCss: ':root { --scalar-custom-header-height: 3rem }',
});
`,
};
