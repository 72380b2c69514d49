/** Shows which of the page's ads have an image that readers do not see. A frame whose policy allows it loads them. */
export function showImageProblems(): void {
  const notice = document.querySelector<HTMLElement>('[data-images]');
  const frame = notice?.querySelector('iframe')?.contentWindow;
  if (!notice || !frame) return;
  const lines = [...notice.querySelectorAll<HTMLElement>('[data-image]')];
  const ask = () => frame.postMessage({ images: lines.map(({ dataset }) => dataset['image']) }, location.origin);
  addEventListener('message', ({ source, data }) => {
    if (source !== frame) return;
    if (data === 'ready') return ask();
    for (const line of lines) {
      if (line.dataset['image'] !== data?.image) continue;
      line.querySelector('span')?.replaceChildren(data.problem);
      line.hidden = notice.hidden = false;
    }
  });
  // For a frame that was ready before this script.
  ask();
}
