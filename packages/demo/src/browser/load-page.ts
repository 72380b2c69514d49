/**
 * Loads a page of the site as a document. XMLHttpRequest parses the markup itself, so the content security
 * policy can forbid scripts to parse any (https://developer.mozilla.org/docs/Web/API/Trusted_Types_API).
 *
 * @throws Error when the server does not respond, or responds with an error
 */
export function loadPage(address: string): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.open('GET', address);
    request.onload = () => {
      if (request.status === 200) resolve(request.response);
      else reject(new Error(`The server responded with ${request.status}.`));
    };
    request.onerror = () => reject(new Error('The server does not respond.'));
    request.send();
  });
}

/** The first element that matches `selector`. @throws Error if there is none */
export function element(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
}
