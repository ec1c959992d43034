/** A browser that is not signed in: it keeps cookies as browsers do, without knowing hosts and ends. */
export class EnteringBrowser {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();
  readonly #headers: Record<string, string>;

  /** `headers`: sent with each request, such as those of a proxy. */
  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  /** As the header `Cookie` says them. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get(path: string): Promise<Answer> {
    return this.#ask(path, {});
  }

  /** As a form of a page of ours sends it. */
  post(path: string, fields: Record<string, string | string[]> = {}, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }): Promise<Answer> {
    const body = new URLSearchParams(Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])));
    return this.#ask(path, { method: 'POST', body, headers });
  }

  async #ask(path: string, init: RequestInit): Promise<Answer> {
    const answer = await fetch(`${this.#url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        cookie: this.cookie,
        ...this.#headers,
        ...init.headers,
      },
    });
    const setCookies = answer.headers.getSetCookie();
    for (const line of setCookies) this.#keep(line);
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location'), headers: answer.headers, setCookies };
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    if (attributes.includes('Max-Age=0')) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

export type Answer = { status: number; text: string; location: string | null; headers: Headers; setCookies: string[] };
