/** Shows the local time below each input for a time in UTC. */
export function hintLocalTimes(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const write = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-utc]')) {
    const said = document.createElement('p');
    said.className = 'hint';
    const show = (): void => {
      const at = new Date(`${input.value}Z`);
      said.textContent = Number.isNaN(at.getTime()) ? '' : `${write.format(at)} in your time zone (${zone})`;
    };
    input.addEventListener('input', show);
    input.after(said);
    show();
  }
}
