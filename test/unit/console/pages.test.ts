import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { pagesNamed } from '../../../src/console/pages/find/named-pages.ts';
import { pageAt, pages } from '../../../src/console/pages.ts';
import { PERSON_ROLES } from '../../../src/contract/person-role.ts';
import { may } from '../../../src/operations/people/rights.ts';

const texts = globSync('src/console/**/*.ts').map((path) => readFileSync(path, 'utf8'));

test('another file than its own leads to every page', () => {
  const isLed = ({ path }: { path: string }) => {
    const address = new RegExp(`/console${path === '/' ? '' : path}["'\`?]`);
    return texts.filter((text) => address.test(text)).length > 1;
  };
  const shown = pages.filter(({ path, get }) => get !== undefined && !/:|\.csv$|\/files$/.test(path));

  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((page) => !isLed(page))).toEqual([]);
});

/** Fields whose page has them again with what was typed, filters of lists, secrets and files: a form that could not be done doesn't show them. */
const ELSEWHERE = ['code', 'company', 'day', 'file', 'from', 'gateway', 'month', 'old', 'order', 'password', 'q', 'rate', 'secret', 'shop', 'to'];

test('what somebody typed into a field is shown again where its form could not be done', () => {
  const typed = texts.flatMap((text) =>
    [...text.matchAll(/\bfield\(\{[^}]*?\bname: '([\w-]+)'([^}]*)/g)].flatMap(([, name = '', more = '']) => (more.includes('options') ? [] : [name])),
  );
  const known = [...Object.keys(wordsIn('en').frame.problem.fields), ...ELSEWHERE];

  expect(typed.length).toBeGreaterThan(20);
  expect(typed.filter((name) => !known.includes(name))).toEqual([]);
});

test('an address to which only forms are sent has no page, and each other one its own', () => {
  const found = pages.map((page) => [page.path, pageAt(pages, `/console${page.path.replace(/:\w+/g, 'some')}`)?.page.path ?? null]);

  expect(found).toEqual(pages.map(({ path, get }) => [path, get === undefined ? null : path]));
});

test('the search names pages to those alone whom they do not refuse', () => {
  for (const role of PERSON_ROLES) {
    const named = pagesNamed('', { role, lang: 'en', hasService: true });

    expect(named.length).toBeGreaterThan(4);
    for (const { path } of named) expect([role, path, may(role, pageAt(pages, path)?.page.right ?? 'people.change')]).toEqual([role, path, true]);
  }
  const rates = (hasService: boolean) => pagesNamed('exchange', { role: 'owner', lang: 'en', hasService });
  expect([rates(true).length, rates(false).length]).toEqual([1, 0]);
});
