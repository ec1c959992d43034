import type { Page } from './base/page.ts';

export type FoundPage = { page: Page; url: URL; params: Record<string, string> };

/** The page at an address of this host; null: none that lives. */
export function pageAt(pages: readonly Page[], address: string): FoundPage | null {
  const url = URL.parse(address, 'http://console');
  if (url === null || url.origin !== 'http://console') return null;
  const path = url.pathname.replace(/^\/console(?=\/|$)/, '') || '/';
  for (const page of pages) {
    const params = paramsOf(page.path, path);
    if (params !== null && page.get !== undefined) return { page, url, params };
  }
  return null;
}

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const [want, have] = [pattern.split('/'), path.split('/')];
  if (want.length !== have.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of want.entries()) {
    const value = have[i] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return null;
      continue;
    }
    const decoded = decodedOf(value);
    if (decoded === null) return null;
    params[part.slice(1)] = decoded;
  }
  return params;
}

function decodedOf(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
