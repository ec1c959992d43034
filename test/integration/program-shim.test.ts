import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentOf, STAMP, untouchedSince } from '../../bin/fresh-build.mjs';
import { type PlantedTree, plantTree } from '../support/servers/planted-tree.ts';

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

const said = async ({ root }: PlantedTree) => (await run(root, { node: null, args: [] })).out;

test('what was built of the sources as they are runs in their place', async () => {
  await using tree = await plantBuilt();

  expect(await said(tree)).toBe('build\n');
});

test.each(['src/main.ts', 'scripts/build/build.ts', 'package.json', 'package-lock.json'])(
  'a change of %s since the build is seen, though size and time stay',
  async (path) => {
    await using tree = await plantBuilt();
    const file = join(tree.root, path);
    const before = statSync(file);
    await writeFile(file, readFileSync(file, 'utf8').replace(/\n$|$/, ' ').slice(0, before.size));
    await utimes(file, before.atime, before.mtime);

    expect(await said(tree)).toBe('sources\n');
  },
);

test('a file that is new since the build is seen; written again as it was, or moved elsewhere, the sources are still those of the build', async () => {
  await using tree = await plantBuilt();
  await writeFile(join(tree.root, 'src/new.ts'), '');
  expect(await said(tree)).toBe('sources\n');

  await rm(join(tree.root, 'src/new.ts'));
  await writeFile(join(tree.root, 'src/main.ts'), readFileSync(join(tree.root, 'src/main.ts')));
  expect(await said(tree)).toBe('build\n');
});

test('where there are no sources the build runs', async () => {
  await using tree = await plantBuilt();
  await rm(join(tree.root, 'src'), { recursive: true });

  expect(await said(tree)).toBe('build\n');
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
  expect(ran.err).toMatch(
    /^orderbridge: this is Node 20\.1\.0, and it needs 24\.16 or newer\. Run `npm ci` in .+.+ which brings one along, or use such a Node\.\n$/,
  );
});

function plantShim(): Promise<PlantedTree> {
  return plantTree({ 'src/main.ts': program }, ['package.json', 'bin']);
}

/** A checkout whose build prints another word than its sources. */
async function plantBuilt(): Promise<PlantedTree> {
  const sources = { 'src/main.ts': "console.log('sources');\n", 'scripts/build/build.ts': '// Builds.\n' };
  const tree = await plantTree({ ...sources, 'dist/main.js': "console.log('build');" }, ['package.json', 'package-lock.json', 'bin']);
  await writeFile(join(tree.root, STAMP), JSON.stringify({ content: contentOf(tree.root), untouched: untouchedSince(tree.root) }));
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
