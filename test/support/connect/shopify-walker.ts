import type { Page } from 'playwright-core';
import { Walker, type Walking } from './walker.ts';

type Answer = 'Install' | 'Cancel';

/** A merchant of a shop on Shopify, who approves an app there. `left`: what their browser told Shopify of where they came from. */
export class ShopifyWalker extends Walker {
  readonly left: string[] = [];
  readonly #page: Page;

  constructor(given: Walking) {
    super(given);
    this.#page = given.page;
    this.#page.on('request', (request) => {
      if (isAtShopify(request.url())) this.left.push(request.url(), request.headers()['referer'] ?? '');
    });
  }

  /** From their link to the page of the company. */
  async approvesApp(name: string): Promise<void> {
    await this.isAt('store');
    await this.type('address', name, '#address-shopify');
    await this.#page.locator('form:has(#address-shopify) button').click();
    await this.#page.waitForURL(/\/store\/found$/);
    await this.look('found');
    await this.#page.locator('a.verb[href*="/store/go?app="]').click();
    await this.answersAtShopify('Install');
  }

  /** Signs in where they must, and says whether the app may be installed. */
  async answersAtShopify(answer: Answer): Promise<void> {
    const { signIn, consent } = { signIn: this.#page.getByLabel('Email'), consent: this.#page.getByRole('button', { name: answer }) };
    await signIn.or(consent).first().waitFor();
    if (await signIn.isVisible()) {
      await signIn.fill('owner@corner.example');
      await this.#page.getByRole('button', { name: 'Log in' }).click();
    }
    await consent.click();
  }
}

export function isAtShopify(url: string): boolean {
  return new URL(url).hostname.endsWith('.myshopify.com');
}
