/**
 * What the page runs: it reads itself anew every second and after each form, and changes the parts that differ. Focus
 * stays where it is, and so does what is being typed: forms are never redrawn. Without it every form loads the page.
 */
export const SCRIPT = `
const news = document.querySelector('[role=status]');
let asking = 0;
const show = async (response, nth) => {
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (nth !== asking) return;
  for (const part of document.querySelectorAll('[data-live]')) {
    const other = next.getElementById(part.id);
    if (!other || other.innerHTML === part.innerHTML) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement.id : '';
    const { scrollTop } = part;
    part.replaceChildren(...other.childNodes);
    part.scrollTop = scrollTop;
    if (focused) (document.getElementById(focused) ?? part).focus();
  }
  return next;
};
const poll = async () => {
  const nth = ++asking;
  try {
    if (!document.hidden) await show(await fetch(location.href, { headers: { accept: 'text/html' } }), nth);
    document.body.classList.remove('gone');
  } catch {
    document.body.classList.add('gone');
  }
  setTimeout(poll, 1000);
};
setTimeout(poll, 1000);
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (form.dataset.loads !== undefined) return;
  event.preventDefault();
  const nth = ++asking;
  const body = new URLSearchParams(new FormData(form, event.submitter));
  try {
    const response = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } });
    const next = await show(response, nth);
    news.textContent = next?.querySelector('[role=status]').textContent || (response.ok ? form.dataset.done : '');
    news.classList.toggle('refused', !response.ok);
    if (response.ok) for (const field of form.querySelectorAll('input[type=number]')) field.value = '';
  } catch {
    news.textContent = 'The mock does not answer.';
  }
});
`;
