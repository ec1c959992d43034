import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateJobs } from '../../../src/platform/jobs/job-store.ts';
import { checkMark, renewMark } from '../../../src/platform/postgres/data-dir-mark.ts';
import { readPlace, setMark } from '../../../src/platform/postgres/database-place.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** A database that knows its DATA_DIR. */
async function marked() {
  const resources = new AsyncDisposableStack();
  const { pool, end } = openPool(await postgres.createDatabase());
  resources.defer(end);
  const folder = await mkdtemp(join(tmpdir(), 'mark-'));
  resources.defer(() => rm(folder, { recursive: true }));
  await migrateJobs(pool);
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  await renewMark(pool, dataDir);
  const stopped = async (at = dataDir) => {
    await checkMark(pool, at);
    return (await readPlace(pool)).stopped;
  };
  const copied = async (to: string) => {
    await cp(dataDir, join(folder, to), { recursive: true, preserveTimestamps: true });
    return join(folder, to);
  };
  const mark = async () => ((await readPlace(pool)).mark ?? '').split('@');
  const known = (parts: readonly string[]) => setMark(pool, parts.join('@'));
  return { pool, dataDir, stopped, copied, mark, known, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

test('a server that starts again where it was is not stopped, and has a mark of another name', async () => {
  await using it = await marked();
  const [before] = await it.mark();

  expect(await it.stopped()).toBeNull();
  await renewMark(it.pool, it.dataDir);
  expect(await it.stopped()).toBeNull();
  expect(await readdir(it.dataDir)).toEqual([(await it.mark())[0]]);
  expect((await it.mark())[0]).not.toBe(before);
});

test('a copy is noticed, and so is what was restored in the place of what was there', async () => {
  await using it = await marked();
  const copy = await it.copied('copy');

  expect(await it.stopped(copy)).toBe('copied');
  await it.pool.query('update jobs.database set stopped = null');
  expect(await it.stopped()).toBeNull();
  await rm(it.dataDir, { recursive: true });
  await rename(copy, it.dataDir);
  expect(await it.stopped()).toBe('copied');
});

test('one without the file is noticed', async () => {
  await using it = await marked();
  await rm(join(it.dataDir, (await it.mark())[0] ?? ''));

  expect(await it.stopped()).toBe('copied');
});

const OTHER = '4242';

test.each<[string, (parts: readonly string[]) => (string | undefined)[]]>([
  ['that makes up inodes when it is mounted, and knows no birth', ([name, , , changed]) => [name, '0', OTHER, changed]],
  ['that makes up inodes and birth', ([name, , , changed]) => [name, OTHER, OTHER, changed]],
  ['whose kernel came to know when files are born', ([name, , inode, changed]) => [name, '0', inode, changed]],
  ['that knows no birth, after a change of the owner', ([name, , inode]) => [name, '0', inode, OTHER]],
])('a file system %s stops no server', async (_what, as) => {
  await using it = await marked();
  await it.known(as(await it.mark()).map((part) => part ?? ''));

  expect(await it.stopped()).toBeNull();
});

test('a change of owner or mode of all files stops no server', async () => {
  await using it = await marked();
  const [name = '', ...before] = await it.mark();
  await chmod(join(it.dataDir, name), 0o640);

  expect(await it.stopped()).toBeNull();
  expect(before).toHaveLength(3);
});

test('where nothing is known of births, a copy has neither inode nor change of what was copied', async () => {
  await using it = await marked();
  const [name = '', , inode = '', changed = ''] = await it.mark();
  await it.known([name, '0', inode, changed]);

  expect(await it.stopped(await it.copied('copy'))).toBe('copied');
});
