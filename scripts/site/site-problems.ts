import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ELEMENTS = new Set(
  [
    'a',
    'blockquote',
    'body',
    'br',
    'code',
    'div',
    'em',
    'h1',
    'h2',
    'h3',
    'h4',
    'head',
    'header',
    'hr',
    'html',
    'img',
    'input',
    'li',
    'link',
    'main',
    'meta',
  ].concat(['nav', 'ol', 'p', 'pre', 'script', 'search', 'small', 'span', 'strong', 'style', 'table', 'tbody', 'td', 'th', 'thead', 'title', 'tr', 'ul']),
);

/** Links of the built site that lead nowhere, pages that none leads to, what it would load from elsewhere, and text in angle brackets that became an element. */
export function siteProblems(folder: string): string[] {
  const files = new Set(globSync('**/*.*', { cwd: folder }));
  const pages = new Map([...files].filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const anchors = new Map([...pages].map(([file, html]) => [file, [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)]));
  const linked = new Set(
    [...pages].flatMap(([page, html]) => [...html.matchAll(/<a href="([^"#]+)/g)].map(([, link = '']) => normalize(join(dirname(page), link)))),
  );
  const alone = [...pages.keys()].filter((page) => page !== 'index.html' && !linked.has(page)).map((page) => `${page}: no page links to it`);
  const wrong = [...pages].flatMap(([page, html]) => [
    ...[...html.matchAll(/<(\w+)[^>]*? (?:href|src)="([^"]*)"/g)].flatMap(([, element = '', link = '']) => problemOf(page, element, link)),
    ...[...html.matchAll(/<(\w[\w-]*)/g)].flatMap(([, element = '']) => (ELEMENTS.has(element) ? [] : [`${page}: <${element}> is no element`])),
    ...twice(anchors.get(page) ?? []).map((id) => `${page}: #${id} is there twice`),
  ]);
  return [...wrong, ...alone];

  function problemOf(page: string, element: string, link: string): string[] {
    if (/^[a-z]+:|^\/\//.test(link)) return element === 'a' ? [] : [`${page}: loads ${link}`];
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    const isThere = anchor === undefined ? files.has(target) : anchors.get(target)?.includes(anchor) === true;
    return isThere ? [] : [`${page}: ${link} leads nowhere`];
  }
}

function twice(ids: readonly string[]): string[] {
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}
