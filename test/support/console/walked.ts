import { englishIn } from './english-in.ts';
import type { SignedInBrowser } from './signed-in.ts';

/** Pages of one kind are alike: so many are looked at. */
const OF_A_KIND = 4;

/**
 * Every page that links lead to from here, and the English words in them, each with the first page that has it. `names`: what is the same in any
 * language. Addresses that differ in ids and numbers alone are of one kind.
 */
export async function walked(browser: SignedInBrowser, from: readonly string[], names: RegExp): Promise<{ kinds: string[]; english: string[] }> {
  const kinds = new Map<string, number>();
  const english = new Map<string, string>();
  const paths = new Set(from);
  for (const path of paths) {
    const kind = kindOf(path);
    const before = kinds.get(kind) ?? 0;
    if (before === OF_A_KIND || /\.csv|\/files\//.test(path)) continue;
    const { text, headers } = await browser.get(path);
    if (headers.get('content-type')?.startsWith('text/html') !== true) continue;
    kinds.set(kind, before + 1);
    for (const words of englishIn(text, names)) if (!english.has(words)) english.set(words, path);
    for (const [, href = ''] of text.matchAll(/href="(\/console[^"#]*)/g)) paths.add(href.replaceAll('&amp;', '&'));
  }
  return { kinds: [...kinds.keys()], english: [...english].map(([words, path]) => `${path}: ${words}`) };
}

function kindOf(path: string): string {
  return path.replace(/(?<=review\/)[\w-]{16}$|(?<=\/)(?:c_)?[0-9a-f-]{20,}|\d+/g, '*').replace(/=[^&]*/g, '=');
}
