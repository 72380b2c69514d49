/** Lets a file be dropped anywhere on its field, and says which one was taken. */
export function takeDrops(): void {
  for (const zone of document.querySelectorAll<HTMLElement>('[data-drop]')) {
    const input = zone.querySelector<HTMLInputElement>('input[type="file"]');
    if (!input) continue;
    const over = (event: DragEvent): void => {
      event.preventDefault();
      zone.classList.toggle('over', event.type === 'dragover');
    };
    zone.addEventListener('dragover', over);
    zone.addEventListener('dragleave', over);
    zone.addEventListener('drop', (event) => {
      over(event);
      if (event.dataTransfer?.files.length) input.files = event.dataTransfer.files;
    });
  }
}
