/** Pages of WordPress itself, and what follows them: people copy the address of the page that they are at. */
const OWN_PAGES = /\/(wp-(admin|json|content|includes|login\.php)|index\.php)(\/.*)?$/;

/** The address of a store as people type or copy it, over https unless a scheme is given; null: it is none. */
export function typedAddress(typed: string): URL | null {
  const text = typed.trim();
  const url = /\s|@/.test(text) ? null : URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/+/, '')}`);
  if (url === null || !/^https?:$/.test(url.protocol) || !isHost(url.hostname)) return null;
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(OWN_PAGES, '/');
  return url;
}

/** A name of the internet has a dot; this machine and literal addresses are for trying it out. */
function isHost(name: string): boolean {
  return /[^.]\.[^.]/.test(name) || name === 'localhost' || name.startsWith('[');
}
