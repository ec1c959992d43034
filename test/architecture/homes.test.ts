import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plantTree } from '../support/servers/planted-tree.ts';

const repository = join(import.meta.dirname, '../..');

/** Words that the layer rules can't see, since they are no imports, and the only places for them. */
const sql = {
  // BullMQ makes the counter of a queue with its first job, as a role that may not, and takes long to load for a look at its tables.
  homes: /^src\/((bridge\/ledger|service|platform\/(postgres|mail|audit-log|jobs))\/|platform\/queue\/(queue-system|queues-in-postgres)\.ts$)/,
  words: new RegExp(
    [
      /\.query(\?\.)?(<[^(]*>)?\(/,
      /(?<quote>['"`])\s*(select\s(?:(?!\k<quote>)[^;])+\sfrom|insert\s+into|update\s+[\w."]+(\s+(as\s+)?\w+)?\s+set|delete\s+from)\s/,
      /['"`]\s*with\s+(recursive\s+)?\w+\s*(\([\w\s,]*\)\s*)?as\s+((not\s+)?materialized\s+)?\(/,
    ]
      .map(({ source }) => source)
      .join('|'),
    'i',
  ),
};
const logLines = {
  homes: /^src\/(bridge\/(bridge|attempt|grant)-events|bridge\/alerts\/alert-events|service\/service-events|platform\/postgres\/embedded-postgres)\.ts$/,
  words: /\blog\s*(\??\.\s*(trace|debug|info|warn|error|fatal)|(\?\.)?\[[^\]]+\])\s*(\?\.)?\(/,
};

/** Text from outside may hold what a terminal obeys; `print` and `note` take it out. */
const prints = {
  homes: /^src\/(platform\/terminal\/print|cli\/run-cli|demo\/progress|main)\.ts$/,
  words: /\b(stdout|stderr)\s*\.\s*write\(/,
};

describe('finding 14: what people read in a terminal is printed by platform/terminal/print alone', () => {
  test('here', () => {
    expect(strays(repository, prints)).toEqual([]);
  });

  test('and where it is planted elsewhere it is found', async () => {
    await using tree = await plantTree({ 'src/cli/commands/loud.ts': "export const loud = ({ stdout }) => stdout.write('x');\n" }, []);

    expect(strays(tree.root, prints)).toEqual(['src/cli/commands/loud.ts']);
  });
});

/** The offset of a store's zone, and the days of the law, are no texts that people read. */
const localTexts = {
  homes: /^src\/(contract\/(local-text|plural)|service\/law\/calendar|bridge\/storefronts\/shopify\/api\/to-order)\.ts$/,
  words: /\bIntl\s*\.\s*(DateTime|Number)Format\b|\bIntl\s*\.\s*PluralRules\b|\.toLocale(Date|Time)?String\(/,
};

describe('numbers, money, days and times are written for people in one place, and in a language that is named', () => {
  test('here', () => {
    expect(strays(repository, localTexts)).toEqual([]);
  });

  test('and where it is planted elsewhere it is found', async () => {
    await using tree = await plantTree({ 'src/console/pages/counted.ts': 'export const counted = (n) => n.toLocaleString();\n' }, []);

    expect(strays(tree.root, localTexts)).toEqual(['src/console/pages/counted.ts']);
  });
});

describe('SQL is in the ledger, the service, platform/postgres, the outbox, the jobs and the audit log alone', () => {
  test('here', () => {
    expect(strays(repository, sql)).toEqual([]);
  });

  test('and where it is planted elsewhere it is found', async () => {
    await using tree = await plantTree(
      {
        'src/app/ping.ts': "export const ping = (pool) => pool.query('select 1');\n",
        'src/app/typed.ts': 'export const ids = (tx) => tx.query<{ id: string }>(text);\n',
        'src/cli/commands/peek.ts': 'export const text = `\n  select id from destinations`;\n',
        'src/operations/erase.ts': "export const text = 'delete from customers where id = $1';\n",
        'src/bridge/ledger/store.ts': "export const find = (pool) => pool.query('select id from orders');\n",
        'src/service/orders/store.ts': "export const text = 'insert into compliance.orders values ($1)';\n",
        'src/platform/postgres/ping.ts': "export const ping = (pool) => pool.query('select 1');\n",
        'src/app/loud.ts': 'export const text = "SELECT id FROM destinations WHERE name = \'main\'";\n',
        'src/app/aliased.ts': "export const text = 'update bridge.orders as o set state = $1';\n",
        'src/cli/commands/page.ts': 'export const text = `\n  with page as (\n    select id from orders) table page`;\n',
        'src/cli/words.ts': "export const words = ['update the settings', 'select one', 'taken from it', 'with orders as they are'];\n",
      },
      [],
    );

    expect(strays(tree.root, sql)).toEqual([
      'src/app/aliased.ts',
      'src/app/loud.ts',
      'src/app/ping.ts',
      'src/app/typed.ts',
      'src/cli/commands/page.ts',
      'src/cli/commands/peek.ts',
      'src/operations/erase.ts',
    ]);
  });
});

describe('the lines of the log are written in the events files of each program', () => {
  test('here', () => {
    expect(strays(repository, logLines)).toEqual([]);
  });

  test('and where one is planted elsewhere it is found', async () => {
    await using tree = await plantTree(
      {
        'src/app/say.ts': "export const say = (log) => log.info({ event: 'said' }, 'said');\n",
        'src/app/perhaps.ts': "export const say = ({ log }) => log?.info({ event: 'said' }, 'said');\n",
        'src/app/lines.ts': "export const say = ({ log }) =>\n  log\n    .warn({ event: 'said' }, 'said');\n",
        'src/app/named.ts': "export const say = ({ log }) => log?.['info']({ event: 'said' }, 'said');\n",
        'src/service/mail/say.ts': "export const say = ({ log, level }) => log[level]({}, 'said');\n",
        'src/bridge/bridge-events.ts': "export const said = (log) => log.info({ event: 'said' }, 'said');\n",
        'src/app/catalog.ts': 'export const info = ({ catalog, x }) => [catalog.info(), Math.log(x), x.log?.level];\n',
        'src/app/quiet.ts': "import { said } from '../bridge/bridge-events.ts';\nexport const quiet = ({ log }) => said(log);\n",
      },
      [],
    );

    expect(strays(tree.root, logLines)).toEqual(['src/app/lines.ts', 'src/app/named.ts', 'src/app/perhaps.ts', 'src/app/say.ts', 'src/service/mail/say.ts']);
  });
});

/** Sources with such words that are not at home. */
function strays(root: string, { homes, words }: { homes: RegExp; words: RegExp }): string[] {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const elsewhere = sources.map((path) => `src/${path}`).filter((path) => !homes.test(path));
  return elsewhere.filter((path) => words.test(readFileSync(join(root, path), 'utf8'))).sort();
}
