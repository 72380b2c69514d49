/** The panel's mark in a browser's tab: the first letter of a masthead. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#a32e1b"/><path fill="#faf6ec" d="M8 6h10q7 0 7 5.2 0 3.6-3.6 4.6 4.6.8 4.6 5.2 0 5-8 5H8v-2.2h2.4V8.2H8zm6.4 2.2v6.8h2.8q3.6 0 3.6-3.6 0-3.2-3.4-3.2zm0 9v6.6h3.2q4 0 4-3.4 0-3.2-4-3.2z"/></svg>`;
