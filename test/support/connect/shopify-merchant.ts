import got from 'got';

type Going = { answer?: 'approve' | 'cancel' | 'no-answer' };
type Shown = { status: number; text: string; location: string | null };

/**
 * A merchant's browser at Shopify (`StandInShopify`): it signs in where it must, answers whether an app may be installed, and follows what leads on
 * within `*.myshopify.com`.
 */
export class ShopifyMerchant {
  readonly #cookies = new Map<string, string>();

  /** From this address to where Shopify lets go of them: the address of the app that they are sent to, or the page at which they stay. */
  async goes(from: string, { answer = 'approve' }: Going = {}): Promise<{ left: string } | { stays: Shown & { url: string } }> {
    let url = from;
    for (let step = 0; step < 10; step += 1) {
      const shown = await this.#ask(url);
      const next = shown.location ?? (await this.#answered(url, shown, answer));
      if (next === null) return { stays: { ...shown, url } };
      url = new URL(next, url).href;
      if (!new URL(url).hostname.endsWith('.myshopify.com')) return { left: url };
    }
    throw new Error(`Shopify leads round in circles at ${url}`);
  }

  /** Where the form of a page leads; null: they stay there. */
  async #answered(url: string, { text }: Shown, answer: Required<Going>['answer']): Promise<string | null> {
    const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    if (action === undefined) return null;
    const isConsent = text.includes('name="answer"');
    if (isConsent && answer === 'no-answer') return null;
    const form = isConsent ? { answer } : { email: 'owner@corner.example' };
    return (await this.#ask(new URL(action, url).href, form)).location;
  }

  async #ask(url: string, form?: Record<string, string>): Promise<Shown> {
    const { host } = new URL(url);
    const headers = { cookie: this.#cookies.get(host) ?? '' };
    const plain = { followRedirect: false, throwHttpErrors: false, retry: { limit: 0 }, headers } as const;
    const response = await (form === undefined ? got(url, plain) : got.post(url, { ...plain, form }));
    const [cookie] = response.headers['set-cookie'] ?? [];
    if (cookie !== undefined) this.#cookies.set(host, cookie.split(';')[0] ?? '');
    return { status: response.statusCode, text: response.body, location: response.headers.location ?? null };
  }
}
