import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type PlantedTree, plantTree } from '../support/servers/planted-tree.ts';

const shim = join(import.meta.dirname, '../../orderbridge');

/** Prints its Node, a variable of `npm start` and its arguments. */
const program = `
if (process.argv[2] === 'wait') process.once('SIGTERM', () => process.exit(7)) && setInterval(() => {}, 1000);
console.log(process.versions.node.split('.')[0], process.env['MALLOC_ARENA_MAX'] ?? '-', process.argv.slice(2).join('|'));
process.exitCode = 3;
`;

test('the shim runs the program on the Node of npm ci, whatever Node the system has', async () => {
  await using tree = await plantShim();

  expect(await run(tree, join(tree.root, 'orderbridge'), ['say', 'two words'])).toEqual({ code: 3, out: '24 - say|two words\n', err: '' });
});

test('it is found through links in the PATH, from any folder', async () => {
  await using tree = await plantShim();
  await symlink('../../orderbridge', join(tree.root, 'home/bin/ob'));
  await symlink(join(tree.root, 'home/bin/ob'), join(tree.root, 'old-node/orderbridge'));

  expect(await run(tree, 'orderbridge', ['say'])).toMatchObject({ code: 3, out: '24 - say\n' });
});

test('`start` has the memory settings of npm start, and gets signals itself', async () => {
  await using tree = await plantShim();

  expect(await run(tree, join(tree.root, 'orderbridge'), ['start'])).toMatchObject({ out: '24 2 start\n' });
  expect(await run(tree, join(tree.root, 'orderbridge'), ['wait'])).toMatchObject({ code: 7 });
});

test('without dependencies it names npm ci and the folder', async () => {
  await using tree = await plantShim();
  await rm(join(tree.root, 'node_modules'));

  const { code, out, err } = await run(tree, join(tree.root, 'orderbridge'), ['status']);

  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toBe(`orderbridge: its dependencies are not installed. Run \`npm ci\` in ${tree.root}.\n`);
});

async function plantShim(): Promise<PlantedTree> {
  const tree = await plantTree({ 'src/main.ts': program }, ['package.json', 'bin']);
  await cp(shim, join(tree.root, 'orderbridge'));
  for (const folder of ['home/bin', 'old-node']) await mkdir(join(tree.root, folder), { recursive: true });
  // A Node that can't run the program: it says so if it is used.
  await writeFile(join(tree.root, 'old-node/node'), '#!/bin/sh\necho old node >&2\nexit 9\n');
  await chmod(join(tree.root, 'old-node/node'), 0o755);
  return tree;
}

async function run({ root }: PlantedTree, command: string, args: string[]) {
  const child = spawn(command, args, { cwd: '/', env: { PATH: `${join(root, 'old-node')}:/usr/bin:/bin` } });
  if (args[0] === 'wait') child.stdout.once('data', () => child.kill('SIGTERM'));
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out, err };
}
