/** @jsxImportSource hono/jsx */

/** The page in a frame on which the widget draws the ad of a form: the same for every ad, which comes by message. */
export function PreviewPage() {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Preview</title>
        <link rel="stylesheet" href="/broadsheet.css" />
        <link rel="stylesheet" href="/panel/assets/panel.css" />
        <script defer src="/panel/assets/panel-preview.js" />
      </head>
      <body class="preview-page">
        <main data-place class="nothing">
          <p class="hint">The ad stands here as soon as it has a title, a text or a picture.</p>
        </main>
      </body>
    </html>
  );
}
