import { type ChosenImage, checkChosen, readChosen } from './check-image.ts';

/** The fields of an ad that the preview shows. */
const FIELDS = ['format', 'title', 'content', 'linkUrl', 'linkText', 'imageUrl'] as const;
export type AdField = (typeof FIELDS)[number];

/** Sends every change of the ad form to the preview frames. */
export function showPreviews(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-ad]');
  const frames = [...document.querySelectorAll<HTMLIFrameElement>('iframe[data-preview]')];
  if (!form || frames.length === 0) return;
  fitFrames();
  const image = document.createElement('p');
  image.className = 'wrong';
  image.setAttribute('role', 'status');
  // An image that will be stored, as a data: URL until then.
  let file: (ChosenImage & { readonly url: string }) | undefined;
  const draw = (): void => {
    const data = new FormData(form);
    const typed = Object.fromEntries(FIELDS.map((name) => [name, String(data.get(name) ?? '')]));
    const ad = file ? { ...typed, imageUrl: file.url } : typed;
    const checked = form.querySelector<HTMLInputElement>('[name="format"]:checked');
    const [width = 0, height = 0] = checked?.dataset['image']?.split(' ').map(Number) ?? [];
    // An image without text is shown whole.
    const best = typed['title'] || typed['content'] ? { width, height } : undefined;
    // A file that was chosen replaces the URL.
    form.querySelector(`input[name="${file ? 'image' : 'imageUrl'}"]`)?.after(image);
    if (file) image.textContent = checkChosen(file, best);
    const check = file ? undefined : { best };
    for (const frame of frames)
      frame.contentWindow?.postMessage({ ad, name: frame.dataset['preview'], check }, location.origin);
  };
  form.querySelector<HTMLInputElement>('input[type="file"]')?.addEventListener('change', async ({ currentTarget }) => {
    const [chosen] = (currentTarget as HTMLInputElement).files ?? [];
    file = chosen && { url: await readAsUrl(chosen), ...(await readChosen(chosen)) };
    const [name, title] = ['name', 'title'].map((field) => form.elements.namedItem(field) as HTMLInputElement);
    if (chosen && name && !name.value && !title?.value) name.value = chosen.name;
    draw();
  });
  let soon: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener('input', () => {
    clearTimeout(soon);
    soon = setTimeout(draw, 150);
  });
  // A frame reports when it is ready to draw, and a problem of the image. The last line below is for frames that were
  // ready earlier.
  addEventListener('message', ({ origin, data }) => {
    if (origin !== location.origin) return;
    if (data === 'ready') draw();
    else if (typeof data?.problem === 'string' && !file) image.textContent = data.problem;
  });
  draw();
}

function readAsUrl(file: File): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve) => {
    // A file that cannot be read has no preview; the server says why when the form is sent.
    reader.onloadend = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.readAsDataURL(file);
  });
}

/** Scales frames down that are wider than their container. */
function fitFrames(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-fit]')) {
    const frame = place.querySelector('iframe');
    if (!frame) continue;
    const fit = (): void => {
      const scale = Math.min(1, place.clientWidth / frame.offsetWidth);
      frame.style.setProperty('transform', `scale(${scale})`);
      place.style.setProperty('height', `${frame.offsetHeight * scale}px`);
    };
    const watch = new ResizeObserver(fit);
    watch.observe(place);
    // The height of the frame depends on the format.
    watch.observe(frame);
  }
}
