import { relative } from 'node:path';
import { dirname } from 'node:path/posix';
import { headingAnchor } from '../docs/heading-anchor.ts';
import { siteLinkOf, sitePathOf } from './site-paths.ts';

export type Section = { page: string; heading: string; at: string; text: string };
type Heading = { level: number; words: string; anchor: string };

/** The order in which a newcomer reads; the pages of reference and adr are listed by their README. */
const MENU: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Begin: {
    'README.md': 'Overview',
    'docs/quick-start.md': 'Quick start',
    'docs/connect.md': 'Connect a store',
    'docs/settings.md': 'Settings',
    'docs/console.md': 'The console',
  },
  Run: { 'docs/operate.md': 'Operate', 'docs/months-and-receipts.md': 'Months and receipts', 'docs/security.md': 'Security and privacy' },
  Interfaces: {
    'docs/own-shop.md': 'Own shop',
    'docs/events.md': 'Events',
    'docs/opencart.md': 'OpenCart',
    'docs/compliance-api.md': 'Compliance API',
    'docs/reference/README.md': 'Reference',
  },
  Inside: {
    'docs/architecture.md': 'Architecture',
    'docs/adr/README.md': 'Decisions',
    'CONTRIBUTING.md': 'Contributing',
    'CHANGELOG.md': 'Changelog',
    'SECURITY.md': 'Report a weakness',
  },
};

/** What markdown made of a page: headings with anchors, and links as the site has them. A link to a file that the site lacks becomes text. */
export function articleOf(file: string, html: string): string {
  const anchored = html.replace(
    /<h([1-4])>(.*?)<\/h\1>/gs,
    (_, level: string, inner: string) => `<h${level} id="${headingAnchor(wordsOf(inner))}">${inner}</h${level}>`,
  );
  const linked = anchored.replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (whole, link: string, inner: string) => {
    const address = siteLinkOf(file, link);
    return address === null ? inner : whole.replace(link, address);
  });
  return linked.replace(/(<img [^>]*?src=")([^"]*)/g, (_, before: string, link: string) => `${before}${siteLinkOf(file, link) ?? link}`);
}

/** The whole page. */
export function pageOf(file: string, article: string): string {
  const root = relative(dirname(sitePathOf(file)), '.') || '.';
  const title = headingsOf(article)[0]?.words ?? file;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'orderbridge' ? title : `${title} · orderbridge`}</title>
<link rel="stylesheet" href="${root}/style.css">
<script defer src="${root}/search.js"></script>
</head>
<body>
<header><a href="${root}/index.html">orderbridge</a><search><input type="search" id="search" data-root="${root}" placeholder="Search" aria-label="Search" autocomplete="off"><ol id="found"></ol></search></header>
<div class="columns">
<nav aria-label="Pages">${Object.entries(MENU)
    .map(
      ([group, entries]) =>
        `<p>${group}</p><ul>${Object.entries(entries)
          .map(([entry, name]) => entryOf({ entry, name }, file, article))
          .join('')}</ul>`,
    )
    .join('\n')}</nav>
<main>${article}</main>
</div>
</body>
</html>
`;
}

function entryOf({ entry, name }: { entry: string; name: string }, file: string, article: string): string {
  const address = siteLinkOf(file, relative(dirname(file), entry)) ?? '';
  const link = `<a href="${address}"${entry === file ? ' aria-current="page"' : ''}>${name}</a>`;
  const inner = entry === file ? headingsOf(article).filter(({ level }) => level === 2) : [];
  const parts = inner.map(({ words, anchor }) => `<li><a href="#${anchor}">${words}</a></li>`).join('');
  return `<li>${link}${parts === '' ? '' : `<ul>${parts}</ul>`}</li>`;
}

function headingsOf(article: string): Heading[] {
  return [...article.matchAll(/<h([1-4]) id="([^"]*)">(.*?)<\/h\1>/gs)].map(([, level = '', anchor = '', inner = '']) => ({
    level: Number(level),
    anchor,
    words: wordsOf(inner),
  }));
}

/** What the search knows of a page: each heading with the text below it. */
export function sectionsOf(file: string, article: string): Section[] {
  const page = headingsOf(article)[0]?.words ?? file;
  return article.split(/(?=<h[1-4] id=")/).flatMap((part) => {
    const [heading] = headingsOf(part);
    return heading === undefined
      ? []
      : [{ page, heading: heading.words, at: `${sitePathOf(file)}#${heading.anchor}`, text: wordsOf(part).replace(/\s+/g, ' ') }];
  });
}

function wordsOf(html: string): string {
  return html
    .replace(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim();
}
