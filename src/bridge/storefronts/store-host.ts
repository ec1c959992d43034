/**
 * The host of a store, by which stores are compared: lower case, IDN in ASCII, without scheme, `www.`, port and path. Takes an address or a bare host;
 * null: the text names none.
 */
export function storeHost(text: string): string | null {
  const { hostname = '' } = URL.parse(`https://${text.trim().replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, '')}`) ?? {};
  const host = hostname.replace(/\.$/, '').replace(/^www\./, '');
  return host === '' ? null : host;
}

/** A store that is called, by the host of its API; `connectionId`: with whose keys. */
export function calledStore(connectionId: string, { url }: { url: string }): { host: string; connectionId: string } {
  return { host: storeHost(url) ?? url, connectionId };
}

/** An address of a store, or a path, without the slashes at its end. It is looked for once where slashes begin: at each of them would take the square of their number. */
export function withoutEndSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '');
}
