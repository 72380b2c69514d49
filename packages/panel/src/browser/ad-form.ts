/** The fields of an ad that the preview shows. */
const FIELDS = ['format', 'title', 'content', 'linkUrl', 'linkText', 'imageUrl'] as const;

/** Sends every change of the ad form to the preview frames. */
export function showPreviews(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-ad]');
  const frames = [...document.querySelectorAll<HTMLIFrameElement>('iframe[data-preview]')];
  if (!form || frames.length === 0) return;
  const draw = (): void => {
    const data = new FormData(form);
    const ad = Object.fromEntries(FIELDS.map((name) => [name, String(data.get(name) ?? '')]));
    for (const frame of frames)
      frame.contentWindow?.postMessage({ ad, name: frame.dataset['preview'] }, location.origin);
  };
  let soon: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener('input', () => {
    clearTimeout(soon);
    soon = setTimeout(draw, 150);
  });
  const image = document.createElement('p');
  image.className = 'wrong';
  image.setAttribute('role', 'status');
  document.querySelector('input[name="imageUrl"]')?.after(image);
  // A frame reports when it is ready to draw, and a problem of the image. The last line below is for frames that were
  // ready earlier.
  addEventListener('message', ({ origin, data }) => {
    if (origin !== location.origin) return;
    if (data === 'ready') draw();
    else if (typeof data?.problem === 'string') image.textContent = data.problem;
  });
  draw();
}
