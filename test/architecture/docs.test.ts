import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fillSection } from '../../scripts/docs/fill-section.ts';
import { generatedDocs } from '../../scripts/docs/generated-docs.ts';

const root = join(import.meta.dirname, '../..');
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...pagesOf('docs'), ...pagesOf('docs/adr')];

describe('the docs', () => {
  test('say what the code says; `npm run docs` brings them up to date', async () => {
    for (const { path, text } of await generatedDocs(root)) expect.soft(readFileSync(join(root, path), 'utf8'), path).toBe(text);
  });

  test.each(pages)('%s links to files that are there', (page) => {
    expect(linksOf(page).filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  test('have links, so that there is something to check', () => {
    expect(linksOf('README.md').length).toBeGreaterThan(5);
  });
});

describe('a generated section', () => {
  const page = 'before\n<!-- generated: codes -->\n\nold\n\n<!-- /generated -->\nafter\n';

  test('is replaced, and nothing around it', () => {
    expect(fillSection(page, 'codes', ['new', 'lines'])).toBe('before\n<!-- generated: codes -->\n\nnew\nlines\n\n<!-- /generated -->\nafter\n');
  });

  test('stays as it is when it is written again', () => {
    const once = fillSection(page, 'codes', ['new']);

    expect(fillSection(once, 'codes', ['new'])).toBe(once);
  });

  test('must have its place in the page', () => {
    expect(() => fillSection(page, 'states', [])).toThrow('the page has no <!-- generated: states -->');
  });
});

function pagesOf(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

/** Targets of links to files of the repository, without the part after #. */
function linksOf(page: string): string[] {
  const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target.replace(/#.*/, ''));
  return links.filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}
