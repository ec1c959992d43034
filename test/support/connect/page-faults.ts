import type { Page } from 'playwright-core';
import { breaches, overflow } from '../console/look-at.ts';

/** `name`: what the page is called in a fault. `axe`: it looks, too, which takes script. */
type Looking = { name: string; lang: 'en' | 'bg'; axe: boolean };

/** Words without which nobody writes an English sentence; names of products and of Shopify's own buttons have none of them. */
const ENGLISH = /\b(?:the|of|and|is|are|was|your|you|this|that|with|from|not|it|its|we|our|to)\b/i;
/** A store's own words may be beside ours. */
const ENGLISH_LETTERS = /[a-z]{2,}/i;
const CYRILLIC = /\p{Script=Cyrillic}/u;
/** More than an abbreviation of the law. */
const BULGARIAN = /\p{Script=Cyrillic}{4,}/u;

/** What is wrong with a page of a merchant: its width at a desk and on a phone, its language, its title, what Tab reaches first, and rules of accessibility. */
export async function faultsOf(page: Page, { name, lang, axe }: Looking): Promise<string[]> {
  const found: string[] = [];
  const given = page.viewportSize() ?? { width: 1280, height: 900 };
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const tooWide = await overflow(page);
    if (tooWide > 0) found.push(`${tooWide} px too wide at ${width}`);
  }
  await page.setViewportSize(given);
  found.push(...(await faultsOfWords(page, lang)), ...(await faultsOfFocus(page)), ...(axe ? await breaches(page) : []));
  return found.map((fault) => `${name}: ${fault}`);
}

async function faultsOfWords(page: Page, lang: Looking['lang']): Promise<string[]> {
  const headings = await page.locator('h1').allInnerTexts();
  const title = await page.title();
  const said = await page.locator('main').innerText();
  const isOther = (line: string) => (lang === 'bg' ? !CYRILLIC.test(line) && ENGLISH.test(line) : BULGARIAN.test(line) && !ENGLISH_LETTERS.test(line));
  const spoken = await page.getAttribute('html', 'lang');
  return [
    ...(spoken === lang ? [] : [`its language is ${spoken}`]),
    ...(headings.length === 1 && title.startsWith(`${headings[0]} – `) ? [] : [`its title is “${title}”, and its headings are ${JSON.stringify(headings)}`]),
    ...said
      .split('\n')
      .filter(isOther)
      .map((line) => `in the other language: ${line}`),
  ];
}

/** Anyone who goes by keys comes to the content, and then to what can be pressed. */
async function faultsOfFocus(page: Page): Promise<string[]> {
  await page.evaluate('document.activeElement?.blur()');
  await page.keyboard.press('Tab');
  const focused = await page.evaluate<string>(`document.activeElement?.getAttribute('href') ?? document.activeElement?.tagName ?? ''`);
  // The link that leads to the content takes room while it has the focus: what is clicked then would move away.
  await page.evaluate('document.activeElement?.blur()');
  return focused === '#content' ? [] : [`Tab leads to ${focused} first`];
}
