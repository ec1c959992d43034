import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantTree } from '../support/servers/planted-tree.ts';

const shim = join(import.meta.dirname, '../../bin/orderbridge.mjs');
const say = (version: string) => `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`;

/** Prints its Node and its arguments; `wait` stays until SIGTERM and then ends with 7. */
const program = `
const [word, ...rest]: string[] = process.argv.slice(2);
if (word === 'wait') process.once('SIGTERM', () => process.exit(7)) && setInterval(() => {}, 1000);
console.log(process.versions.node.split('.')[0], word, rest.join('|'));
process.exitCode = 3;
if (word === 'die') process.kill(process.pid, 'SIGKILL');
`;

test('on a new Node the program runs in the same process', async () => {
  await using tree = await plantShim();

  expect(await run(tree.root, { node: null, args: ['say', 'two words'] })).toEqual({ code: 3, signal: null, out: '24 say two words\n', err: '' });
});

test('on an old Node it runs on the one that npm ci brought, and passes its exit code on', async () => {
  await using tree = await plantShim();

  expect(await run(tree.root, { node: '20.1.0', args: ['say', 'a', 'b c'] })).toEqual({ code: 3, signal: null, out: '24 say a|b c\n', err: '' });
});

test.each([
  { version: '24.15.0', old: true },
  { version: '24.16.0', old: false },
  { version: '26.1.0', old: false },
])('$version is older than it needs: $old', async ({ version, old }) => {
  await using tree = await plantShim();
  await rm(join(tree.root, 'node_modules'));

  expect(await run(tree.root, { node: version, args: ['say'] })).toMatchObject(old ? { code: 1, out: '' } : { code: 3, err: '' });
});

test('a signal reaches the program, which ends in its own way', async () => {
  await using tree = await plantShim();

  expect(await run(tree.root, { node: '20.1.0', args: ['wait'], killOnOutput: 'SIGTERM' })).toMatchObject({ code: 7, signal: null });
});

test('a program killed by a signal looks killed from outside', async () => {
  await using tree = await plantShim();

  expect(await run(tree.root, { node: '20.1.0', args: ['die'] })).toMatchObject({ code: null, signal: 'SIGKILL' });
});

test('without a Node to run on it says what to do', async () => {
  await using tree = await plantShim();
  await rm(join(tree.root, 'node_modules'));

  const ran = await run(tree.root, { node: '20.1.0', args: ['say'] });

  expect(ran).toMatchObject({ code: 1, out: '' });
  expect(ran.err).toMatch(/^orderbridge: this is Node 20\.1\.0, and it needs 24\.16 or newer\. Run `npm ci` in .+, which brings one along\.\n$/);
});

async function plantShim(): ReturnType<typeof plantTree> {
  const tree = await plantTree({ 'src/main.ts': program }, ['package.json']);
  await cp(shim, join(tree.root, 'bin/orderbridge.mjs'));
  return tree;
}

/** `node`: the version that it takes itself for; null: its own. */
type Run = { node: string | null; args: string[]; killOnOutput?: NodeJS.Signals };
type Ended = { code: number | null; signal: NodeJS.Signals | null; out: string; err: string };

async function run(root: string, { node, args, killOnOutput }: Run): Promise<Ended> {
  const pretend = node === null ? [] : ['--import', say(node)];
  const child = spawn(process.execPath, [...pretend, join(root, 'bin/orderbridge.mjs'), ...args]);
  let out = '';
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdout.on('data', (chunk) => {
    out += chunk;
    if (killOnOutput !== undefined) child.kill(killOnOutput);
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, out, err };
}
