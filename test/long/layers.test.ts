import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { cruised, layerPlants, plantedFiles, violations } from '../support/plants/layer-plants.ts';
import { plantTree } from '../support/servers/planted-tree.ts';

const repository = join(import.meta.dirname, '../..');

test('each layer rule fires on the file planted against it', async () => {
  await using tree = await plantTree(plantedFiles(), ['package.json']);

  const fired = violations(await cruised(tree.root));

  // A rule about folders names the folder.
  const silent = layerPlants.filter(
    ({ rule, file }) => !fired.some((line) => line.startsWith(`${rule}: ${file} `) || line.startsWith(`${rule}: ${dirname(file)} `)),
  );
  expect(silent).toEqual([]);
});

test('the real tree is cruised, and breaks no rule', async () => {
  const result = await cruised(repository);

  expect(result.summary.totalCruised).toBeGreaterThan(20);
  expect(violations(result)).toEqual([]);
});

test('imports that the rules allow are not reported', async () => {
  await using tree = await plantTree(
    {
      'src/contract/schema.ts': "import { z } from 'zod';\nexport const text = z.string();\n",
      'src/bridge/delivery/some-worker.ts': "import type { Processor } from 'bullmq';\nexport type Mine = Processor;\n",
      'src/bridge/delivery/one.ts': "import type { Two } from './two.ts';\nexport type One = Two;\n",
      'src/bridge/delivery/two.ts': "import type { One } from './one.ts';\nexport type Two = { one: One };\n",
      'src/operations/read.ts': "import type { Row } from '../bridge/ledger/rows.ts';\nexport type Mine = Row;\n",
      // No file is in a cycle here; each folder imports one below it.
      'src/bridge/ledger/rows.ts': "import type { One } from '../delivery/one.ts';\nexport type Row = One;\n",
      'src/platform/mail/outbox.ts': "import type { Queryable } from '../postgres/postgres.ts';\nexport type Outbox = Queryable;\n",
      'src/platform/postgres/postgres.ts': 'export type Queryable = string;\n',
      'src/service/mail/shop-mails.ts': "import type { Outbox } from '../../platform/mail/outbox.ts';\nexport type Mine = Outbox;\n",
      'src/platform/owned.ts': 'export async function owned(thing: AsyncDisposable): Promise<void> {\n  await using _thing = thing;\n}\n',
    },
    ['package.json'],
  );

  expect(violations(await cruised(tree.root))).toEqual([]);
});
