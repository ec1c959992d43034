import type { Page } from 'playwright-core';
import { until } from '../worlds/settled.ts';
import { companyTyped } from './company-typed.ts';
import { faultsOf } from './page-faults.ts';

/**
 * `link`: the address that they were sent, empty if they were sent none. `double`: they press each button twice. `script`: their browser runs it. `judged`: what
 * axe has looked at in this file already, each page once in a language.
 */
export type Walking = { page: Page; link: string; double: boolean; script: boolean; lang: 'en' | 'bg'; judged?: Set<string> };

const VERBS = {
  look: 'form:has(#address-woocommerce) button',
  go: 'a.verb[href$="/store/go"]',
  login: 'button:text-is("Login")',
  approve: 'a:text-is("Approve")',
  uic: 'button[value="uic"]',
  company: 'button[value="save"]',
  make: 'form:has(input[value="make"]) button',
  toMapping: 'a.verb[href$="/mapping"]',
  mapping: 'button[value="save"]',
  start: 'form[action$="/trial"] button:not([formmethod])',
} as const;

/** A merchant who goes their whole way in a browser, by what pages offer: counts what they press and types, and looks at each page. */
export class Walker {
  readonly #given: Walking;
  link: string;
  readonly pressed: string[] = [];
  readonly typed: string[] = [];
  readonly wrong: string[] = [];

  constructor(given: Walking) {
    this.#given = given;
    this.link = given.link;
  }

  /** Anyone who was sent no link has one from the page at which they arrived. */
  async landsOn(step: string): Promise<string> {
    const { page } = this.#given;
    await page.waitForURL(new RegExp(`/connect/[\\w-]+/${step}(\\?|$)`));
    this.link = page.url().slice(0, page.url().indexOf(`/${step}`));
    return this.link;
  }

  async press(verb: keyof typeof VERBS): Promise<void> {
    const { page, double } = this.#given;
    this.pressed.push(verb);
    const there = page.locator(VERBS[verb]).first();
    await (double && !['login', 'approve', 'go'].includes(verb) ? there.dblclick() : there.click());
  }

  async type(name: string, text: string, field = `input[name="${name}"]`): Promise<void> {
    this.typed.push(name);
    await this.#given.page.locator(field).first().fill(text);
  }

  /** They are at this page, leave it, and are there again by their link. */
  async isAt(step: string): Promise<void> {
    const { page } = this.#given;
    const path = new RegExp(`/${step}(\\?|$)`);
    await page.waitForURL(path);
    await page.goto(this.link);
    await page.waitForURL(path);
    await this.look(step);
  }

  async look(name: string): Promise<void> {
    const { page, script, lang, judged } = this.#given;
    const isNew = judged?.has(`${lang} ${name}`) !== true;
    if (script) judged?.add(`${lang} ${name}`);
    const faults = () => faultsOf(page, { name, lang, axe: script && isNew });
    const again = async (thrown: unknown) => {
      // Without script a page that waits for something is loaded anew by itself.
      if (script || !/because of a navigation/.test(String(thrown))) throw thrown;
      await page.waitForLoadState();
      return faults();
    };
    this.wrong.push(...(await faults().catch(again)));
  }

  /** A form that is sent twice breaks the first navigation off. */
  async #arrives(path: RegExp): Promise<void> {
    await until(async () => path.test(this.#given.page.url()), { what: `the address to be ${path.source}` });
    await this.#given.page.waitForLoadState();
  }

  async #shows(verb: string): Promise<void> {
    const { page } = this.#given;
    await page
      .locator(verb)
      .waitFor()
      .catch(async (thrown: unknown) => {
        throw new Error(`${page.url()} has no ${verb}, but: ${await page.locator('main').innerText()}`, { cause: thrown });
      });
  }

  /** From the link to the company: keys that their store hands over. */
  async giveStore(address: string): Promise<void> {
    await this.isAt('store');
    await this.type('address', address, '#address-woocommerce');
    await this.press('look');
    await this.#arrives(/\/store\/found$/);
    await this.look('found');
    await this.press('go');
    await this.#given.page.locator('input[name="user"]').fill('owner');
    await this.press('login');
    await this.press('approve');
  }

  /** A company that is new here. */
  async giveCompany(domain: string): Promise<void> {
    const { page } = this.#given;
    const { companyUic = '', vat, verb: _verb, receiptStartNumber: _none, ...others } = companyTyped({ domain });
    await this.isAt('company');
    await this.type('companyUic', companyUic);
    await this.press('uic');
    await page.locator('input[name="companyName"]').waitFor();
    await this.look('company');
    await page.locator(`input[name="vat"][value="${vat}"]`).check();
    for (const [name, text] of Object.entries(others)) await this.type(name, text);
    await this.press('company');
  }

  async makeWebhooks(): Promise<void> {
    await this.isAt('webhooks');
    await this.press('make');
    await this.#shows(VERBS.toMapping);
    await this.look('webhooks made');
  }

  async answerAndStart(onTrial: () => Promise<void>): Promise<void> {
    await this.press('toMapping');
    await this.isAt('mapping');
    await this.press('mapping');
    await this.isAt('trial');
    await onTrial();
    await this.press('start');
    await this.#arrives(/\/status$/);
    await this.look('status');
  }
}
