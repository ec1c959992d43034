import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytes, id, mail, transportTo } from '../../support/samples/sample-mail.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';

test('a mail is a file that its owner alone may read, named by time and id', async () => {
  await using scratch = await scratchDir();
  const folder = join(scratch.path, 'data', 'outbox');

  const delivery = await transportTo(null, folder).send(mail({ attachments: [{ filename: 'a.csv', contentType: 'text/csv', content: bytes() }] }), id);

  expect(delivery).toEqual({ accepted: ['ivan@buyer.example'], refused: [], why: null, path: join(folder, `20261120T101533Z-${id}.eml`) });
  expect(await readdir(folder)).toEqual([`20261120T101533Z-${id}.eml`]);
  const path = join(folder, `20261120T101533Z-${id}.eml`);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const text = await readFile(path, 'utf8');
  expect(text).toContain('To: ivan@buyer.example\r\n');
  expect(text).toContain(`Message-ID: <${id}@service.example>\r\n`);
  expect(text).toContain(Buffer.from('номер;сума').toString('base64'));
});

test('content that breaks off leaves no file behind, and is thrown', async () => {
  await using scratch = await scratchDir();
  async function* broken() {
    yield Buffer.from('номер;');
    throw new Error('the database went away');
  }

  const sending = transportTo(null, scratch.path).send(mail({ attachments: [{ filename: 'a.csv', contentType: 'text/csv', content: broken() }] }), id);

  await expect(sending).rejects.toThrow('the database went away');
  expect(await readdir(scratch.path)).toEqual([]);
});

test('a folder that can’t be made is reported', async () => {
  await using scratch = await scratchDir();
  await writeFile(join(scratch.path, 'outbox'), '');

  await expect(transportTo(null, join(scratch.path, 'outbox')).send(mail(), id)).rejects.toThrow('EEXIST');
});
