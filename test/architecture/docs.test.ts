import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fillSection } from '../../scripts/docs/fill-section.ts';
import { generatedDocs } from '../../scripts/docs/generated-docs.ts';
import { headingAnchor } from '../../scripts/docs/heading-anchor.ts';
import { tablesIn } from '../../scripts/docs/schema-tables.ts';
import { siteProblems } from '../../scripts/site/site-problems.ts';
import { routes } from '../../src/service/interface/routes.ts';
import { plantTree } from '../support/servers/planted-tree.ts';

const root = join(import.meta.dirname, '../..');
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pagesOf('docs'), ...pagesOf('docs/adr'), ...pagesOf('docs/reference')];

test('every table of the database is in the docs, with what it is', () => {
  const made = globSync('src/**/version-1.sql', { cwd: root }).flatMap((path) => [
    ...readFileSync(join(root, path), 'utf8').matchAll(/^create table (?:\w+\.)?(\w+) \(/gm),
  ]);
  const page = readFileSync(join(root, 'docs/reference/tables.md'), 'utf8');

  expect(made.length).toBeGreaterThan(60);
  expect([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name).toSorted()).toEqual(made.map(([, name]) => name).toSorted());
  expect(
    tablesIn('-- A, and B.\n-- More.\ncreate table b.one (\n  a int not null check (a in (1, 2)), -- x, y\n  b text[],\n  primary key (a, b)\n);\n'),
  ).toEqual([{ name: 'one', means: 'A, and B. More.', columns: ['`a` int', '`b` text[]'] }]);
  expect(() => tablesIn('create table two (a int);\n')).toThrow('the table two has no comment');
});

describe('the docs', () => {
  test('say what the code says; `npm run docs` brings them up to date', async () => {
    for (const { path, text } of await generatedDocs(root)) expect.soft(readFileSync(join(root, path), 'utf8'), path).toBe(text);
  });

  test.each(pages)('%s links to files that are there', (page) => {
    expect(linksOf(page).filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  test.each(pages)('%s links to headings that are there', (page) => {
    const anchors = targetsOf(page).filter((target) => /^[^:#]*\.md#|^#/.test(target));

    expect(anchors.filter((target) => !headingsOf(page, target.replace(/#.*/, '')).includes(target.replace(/.*#/, '')))).toEqual([]);
  });

  test.each(pages)('%s has no heading twice, as its anchor would lead to the first', (page) => {
    const headings = headingsOf(page, '');

    expect(headings.filter((heading, at) => headings.indexOf(heading) !== at)).toEqual([]);
  });

  test.each(pages)('%s names files and folders that are there', (page) => {
    expect(missingPaths(readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });

  test('are found to name one that is gone, but not an example', () => {
    const text = 'Run `npm run test:one -- test/gone -t x`; see `src/gone.ts`, `src/{cli,gone}/commands`, `docs/*.none`, and `src/cli/**/*.ts`.';
    const examples = '`src/bridge/storefronts/acme/acme.ts` `docs/adr/NNNN-<title>.md` `test/…` `packages/src/a.ts` src/prose `https://x.example/docs/y`';

    expect(missingPaths(`${text}\n${examples}`)).toEqual(['test/gone', 'src/gone.ts', 'src/gone/commands', 'docs/*.none']);
    expect(missingPaths('```\nnode scripts/gone.ts src\n```\n')).toEqual(['scripts/gone.ts']);
  });

  test('are there where the code names them', () => {
    const texts = globSync('src/**/*.{ts,sql,md}', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));

    expect(texts.flatMap(docsNamedIn).length).toBeGreaterThan(10);
    expect(texts.flatMap(docsNamedIn).filter((path) => !isPage(path))).toEqual([]);
  });

  test('are found to be named by another name', () => {
    const text = '/** See docs/gone.md#part, docs/adr/0001 and `docs/operate.md`. */ https://x.example/docs/y.md ../docs/z.md';

    expect(docsNamedIn(text)).toEqual(['docs/gone.md', 'docs/adr/0001', 'docs/operate.md']);
    expect(docsNamedIn(text).filter((path) => !isPage(path))).toEqual(['docs/gone.md', 'docs/adr/0001']);
  });

  test('name every route of our extension, or its end after “…”', () => {
    const page = readFileSync(join(root, 'docs/compliance-api.md'), 'utf8');
    const paths = routes.map(({ path }) => path).filter((path) => path.startsWith('/service/v1/'));
    const isNamed = (path: string) => page.includes(`${path}\``) || new RegExp(`…[^\`]*/${path.replace(/.*\//, '')}\``).test(page);

    expect(paths.filter((path) => !isNamed(path))).toEqual([]);
    expect([paths.length > 15, isNamed('/service/v1/shops/{id}/weight')]).toEqual([true, false]);
  });

  test('are short: 45,000 words by hand, 5,000 of them to operate it', () => {
    const all = pages.reduce((sum, page) => sum + wordsByHand(page), 0);

    expect(all).toBeGreaterThan(10_000);
    expect(all).toBeLessThanOrEqual(45_000);
    expect(wordsByHand('docs/operate.md')).toBeLessThanOrEqual(5_000);
  });

  test('have links, so that there is something to check', () => {
    expect(linksOf('README.md').length).toBeGreaterThan(5);
  });
});

test('a link, an anchor, a file from elsewhere and an element that a built page has wrong are found, and a page that none links to', async () => {
  const right = '<h1 id="top">A</h1><a href="b.html#b">b</a><a href="https://shop.example">shop</a><img src="a.png">';
  const wrong = '<h2 id="b">B</h2><p id="b"></p><a href="c.html">c</a><a href="a.html#gone">a</a><script src="https://cdn.example/x.js"></script><audit>';
  await using tree = await plantTree({ 'a.html': right, 'b.html': wrong, 'd.html': '<p>D</p>', 'a.png': '' }, []);

  expect(siteProblems(tree.root)).toEqual([
    'b.html: c.html leads nowhere',
    'b.html: a.html#gone leads nowhere',
    'b.html: loads https://cdn.example/x.js',
    'b.html: <audit> is no element',
    'b.html: #b is there twice',
    'd.html: no page links to it',
  ]);
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
  const links = targetsOf(page).map((target) => target.replace(/#.*/, ''));
  return links.filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

function targetsOf(page: string): string[] {
  return [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** The anchors of the headings of a page that `page` names; of itself if `file` is empty. */
function headingsOf(page: string, file: string): string[] {
  const text = readFileSync(file === '' ? join(root, page) : join(root, dirname(page), file), 'utf8').replace(/^```.*?^```/gms, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, words = '']) => headingAnchor(words));
}

/** Words that somebody wrote: all but what the code made. */
function wordsByHand(page: string): number {
  const text = readFileSync(join(root, page), 'utf8').replace(/<!-- generated: .*?<!-- \/generated -->/gs, '');
  return page === 'docs/reference/commands.md' ? 0 : text.split(/\s+/).filter((word) => word !== '').length;
}

/** Paths between backticks that nothing in the repository has; examples (`acme`, `NAME`, `<…>`) are none. */
function missingPaths(text: string): string[] {
  const code = [...text.matchAll(/(`+)(.+?)\1/gs)].map(([, , words = '']) => words);
  const paths = code.flatMap((words) =>
    [...words.matchAll(/(?<![^\s'"(=:])(?:src|test|scripts|docs)\/[^\s'"`();:]*/g)].map(([path]) => path.replace(/[.,]$/, '')),
  );
  const real = paths.filter((path) => !/acme|NAME|NNNN|XX|[<>…]/.test(path));
  return real.flatMap(alternatives).filter((path) => globSync(path, { cwd: root }).length === 0);
}

/** Paths below `docs` in a text of the code, without the part after #. */
function docsNamedIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w/.-])docs\/[\w./-]*\w/g)].map(([path]) => path);
}

function isPage(path: string): boolean {
  return /\.\w+$/.test(path) && existsSync(join(root, path));
}

/** `src/{cli,app}/x` is two paths. */
function alternatives(path: string): string[] {
  const [whole, inner] = /\{([^}]*)\}/.exec(path) ?? [];
  if (whole === undefined || inner === undefined) return [path];
  return inner.split(',').flatMap((one) => alternatives(path.replace(whole, one)));
}
