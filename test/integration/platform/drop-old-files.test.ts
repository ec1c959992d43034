import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dropOldFiles } from '../../../src/platform/mail/drop-old-files.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';

const now = new Date('2026-11-20T10:00:00Z');

test('mails that were written into a folder go after their days; other files, and those that lie deeper, stay', async () => {
  await using dir = await scratchDir();
  const folder = join(dir.path, 'outbox');
  expect(await dropOldFiles(folder, { days: 30, now })).toBe(0);
  await mkdir(join(folder, '20250101T000000Z-deeper'), { recursive: true });
  for (const name of ['20261021T095959Z-1.eml', '20261021T095959Z-2.eml.part', '20261021T100000Z-3.eml', 'notes.eml', '20200101T000000Z-4.txt']) {
    await writeFile(join(folder, name), 'x');
  }

  expect(await dropOldFiles(folder, { days: 30, now })).toBe(2);
  expect((await readdir(folder)).toSorted()).toEqual(['20200101T000000Z-4.txt', '20250101T000000Z-deeper', '20261021T100000Z-3.eml', 'notes.eml']);
});
