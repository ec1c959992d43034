import { spawnSync } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadEncryptionKeys } from '../../../src/config/encryption-key.ts';
import { Secret } from '../../../src/config/secret.ts';
import { openDataDir } from '../../../src/platform/data-dir.ts';
import { lockExclusive, lockShared, tryLockExclusive } from '../../../src/platform/postgres/cluster/postgres-probe.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';

const TRY_LOCK = `
  const { DatabaseSync } = require('node:sqlite');
  const tried = process.argv.slice(1).map((path) => {
    try { new DatabaseSync(path, { timeout: 0 }).exec('BEGIN EXCLUSIVE'); return 'free'; } catch { return 'busy'; }
  });
  console.log(tried.join(' '));`;

const unset = { encryptionKeys: null };

test('configured keys are used, the newest first, and no file is made', async () => {
  await using directory = await scratchDir();

  const keys = await loadEncryptionKeys({ config: { encryptionKeys: new Secret(`${'08'.repeat(32)},\n${'07'.repeat(32)}`) }, dataDir: directory.path });

  expect(keys).toEqual([Buffer.alloc(32, 8), Buffer.alloc(32, 7)]);
  expect(await readdir(directory.path)).toEqual([]);
});

test('concurrent starts get the same key, in a file for its owner alone', async () => {
  await using directory = await scratchDir();
  const dataDir = join(directory.path, 'new');

  const keys = await Promise.all(Array.from({ length: 20 }, () => loadEncryptionKeys({ config: unset, dataDir })));

  expect(new Set(keys.map((kept) => kept.map((key) => key.toString('hex')).join())).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['encryption.key']);
  expect((await stat(join(dataDir, 'encryption.key'))).mode & 0o777).toBe(0o600);
});

test('a spoilt key file is reported in words, and not changed', async () => {
  await using directory = await scratchDir();
  await writeFile(join(directory.path, 'encryption.key'), 'oops');

  await expect(loadEncryptionKeys({ config: unset, dataDir: directory.path })).rejects.toThrow('encryption.key has something else than keys of 32 bytes');
});

test('a DATA_DIR that can not be made is reported in words', async () => {
  await using directory = await scratchDir();
  await writeFile(join(directory.path, 'file'), '');

  await expect(openDataDir(join(directory.path, 'file/data'))).rejects.toThrow('set DATA_DIR to a folder that this user may write');
});

test('finding 14: only its owner may open a lock, and closing none ends another', async () => {
  await using directory = await scratchDir();
  const [first, second] = [join(directory.path, 'first'), join(directory.path, 'second')];
  const modes = async () => Promise.all([first, second].map(async (path) => (await stat(path)).mode & 0o777));

  const locks = [first, second].map((path) => lockShared(path));
  for (const path of [first, second]) expect(tryLockExclusive(path)).toBeUndefined();
  // Another process sees what this one still has.
  const elsewhere = spawnSync(process.execPath, ['-e', TRY_LOCK, first, second], { encoding: 'utf8' });

  expect(await modes()).toEqual([0o600, 0o600]);
  expect(elsewhere.stdout.trim()).toBe('busy busy');
  for (const lock of locks) lock[Symbol.dispose]();
});

test('a lock is shared by many, or taken by one', async () => {
  await using directory = await scratchDir();
  const path = join(directory.path, 'lock');
  const first = lockShared(path);
  const second = lockShared(path);

  expect(tryLockExclusive(path)).toBeUndefined();
  first[Symbol.dispose]();
  expect(tryLockExclusive(path)).toBeUndefined();
  second[Symbol.dispose]();
  using alone = tryLockExclusive(path);

  expect(alone).toBeDefined();
  expect(() => lockShared(path)).toThrow('locked by another process');
  await expect(lockExclusive(path, 50)).rejects.toThrow('another process has locked');
});
