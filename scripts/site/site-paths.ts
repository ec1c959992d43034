import { dirname, join, normalize, relative } from 'node:path';

/** Where the site has a page or file of the repository: README.md is its first page, docs/connect.md its connect.html. */
export function sitePathOf(file: string): string {
  const path = normalize(file)
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/\.md$/, '.html');
  return path.startsWith('docs/') ? path.slice('docs/'.length) : path.replace(/^[A-Z]+/, (name) => `project/${name.toLowerCase()}`);
}

const hasPath = /^(?:docs\/.*\.(?:md|png|json)|[A-Z]+\.md)$/;

/** The address of a link of `page` on the site, or null if it leads to a file that the site does not have. */
export function siteLinkOf(page: string, link: string): string | null {
  if (/^[a-z]+:|^#/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = normalize(join(dirname(page), path));
  if (!hasPath.test(target)) return null;
  return `${relative(dirname(sitePathOf(page)), sitePathOf(target))}${anchor === undefined ? '' : `#${anchor}`}`;
}
