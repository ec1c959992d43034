import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnvFile, withEnvFile } from '../../../src/config/env-file.ts';
import { demoConfig } from '../../../src/demo/run-demo.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';

async function read(text: string, mode = 0o600) {
  await using folder = await scratchDir();
  await writeFile(join(folder.path, '.env'), text);
  await chmod(join(folder.path, '.env'), mode);
  return readEnvFile(folder.path);
}

test('without a file nothing is added', async () => {
  await using folder = await scratchDir();

  expect(readEnvFile(folder.path)).toBeNull();
  expect(withEnvFile({ PORT: '1' }, null)).toEqual({ PORT: '1' });
});

test('it is read as Node reads such files', async () => {
  const file = await read(
    '\ufeff# ours\r\nPORT=1\r\n\r\nexport MAIL_FROM = "Shop <a@b.c>" # comment\nA=\nB=\'x # y\'\nC="one\ntwo=2"\nD=`a"b\'`\nE=a"b # c\nF= # none\nG=last',
  );

  expect(file?.variables).toEqual({ PORT: '1', MAIL_FROM: 'Shop <a@b.c>', A: '', B: 'x # y', C: 'one\ntwo=2', D: 'a"b\'', E: 'a"b', F: '', G: 'last' });
});

test('a # in a comment, or in quotes, is no # in a value', async () => {
  const file = await read('A=3000  # see issue#5\nB=3000 ## the port\nC=3000 # C#\nD=a=b # c=d#e\nE="x=y#z" # x=y#z\n# F=y#z\nG= #\nH=\'a#b\'#c');

  expect(file?.variables).toEqual({ A: '3000', B: '3000', C: '3000', D: 'a=b', E: 'x=y#z', G: '', H: 'a#b' });
  const long = `A=${'x '.repeat(50_000)}`;
  expect((await read(long))?.variables).toEqual({ A: long.slice(2).trim() });
});

test('the environment wins, also with an empty value, and in the other way of naming a secret', async () => {
  const file = await read('PORT=1\nHOST=h\nPUBLIC_URL=https://file.example\nDATABASE_URL=postgres://file\nREDIS_URL_FILE=/file\n');

  expect(withEnvFile({ PORT: '2', PUBLIC_URL: '', DATABASE_URL_FILE: '/env', REDIS_URL: 'redis://env', X: undefined }, file)).toEqual({
    PORT: '2',
    HOST: 'h',
    PUBLIC_URL: '',
    DATABASE_URL_FILE: '/env',
    REDIS_URL: 'redis://env',
    X: undefined,
  });
});

test.for([
  ['PORT=1\nhunter2\n', 'line 2 is not NAME=value'],
  ['A=1\nSMTP_URL="smtp://u:hunter2@h\nB=2\n', 'line 2 is not NAME=value'],
  ['A="hunter2" hunter2\n', 'line 1 is not NAME=value'],
  ['1A=hunter2', 'line 1 is not NAME=value'],
  ['A="x\ny"\n\nSMTP_URL=smtp://u:hunter2#3@h\n', 'line 4 has a # in its value'],
  ['COMPLIANCE_API_SECRET=k#hunter2', 'line 1 has a # in its value'],
  ['export ADMIN_TOKEN = hunter2 hunter2## # ours', 'line 1 has a # in its value'],
] as const)('finding of a mistake in %j names the line, never a value', async ([text, words]) => {
  const error: unknown = await read(text).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ exitCode: 78, message: expect.stringContaining(words) });
  expect(String(error)).not.toContain('hunter2');
});

test('one that can’t be read is an error, not an empty file', async () => {
  await using folder = await scratchDir();
  await mkdir(join(folder.path, '.env'));

  expect(() => readEnvFile(folder.path)).toThrow(`${join(folder.path, '.env')} can’t be read (EISDIR)`);
});

test('the demo does not read it', async () => {
  await using folder = await scratchDir();
  await writeFile(join(folder.path, '.env'), 'not a line\nPUBLIC_URL=https://file.example\n');

  expect(await demoConfig({ env: {}, cwd: folder.path }, folder.path)).toMatchObject({ publicUrl: null });
});

test('secrets that others may read are warned about, and only those', async () => {
  expect(await read('SMTP_URL=smtp://h\n', 0o644)).toMatchObject({ warning: expect.stringContaining('chmod 600 .env') });
  expect(await read('SMTP_URL=smtp://h\n')).toMatchObject({ warning: null });
  expect(await read('PORT=1\nSMTP_URL=\n', 0o644)).toMatchObject({ warning: null });
});
