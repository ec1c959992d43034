import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { commands } from '../../../src/cli/commands.ts';
import { couldBeCommitted } from '../../../src/cli/input/read-secret.ts';
import { Program } from '../../support/servers/program.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';

const run = promisify(execFile);
let script: string;
beforeAll(async () => {
  await using program = await Program.prepare();
  script = await program.ok(['completion', 'bash']);
});

/** What bash offers after these words; the last one is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const line = `COMP_WORDS=(orderbridge ${typed}); COMP_CWORD=${words.length}; _orderbridge; printf '%s\\n' "\${COMPREPLY[@]-}"`;
  const { stdout } = await run('bash', ['--norc', '-uc', `${script}\n${line}`]);
  return stdout.split('\n').filter((word) => word !== '');
}

test('bash offers every command, their sub-commands, options and values', async () => {
  expect(await offered('')).toEqual(expect.arrayContaining(Object.keys(commands)));
  expect(await offered('conn')).toEqual(['connect', 'connections']);
  expect(await offered('service', 'or')).toEqual(['orders']);
  expect(await offered('service', 'orders', 'l')).toEqual(['list']);
  expect(await offered('connect', '--na')).toEqual(['--name']);
  expect(await offered('connect', '--platform', '')).toEqual(['shopify', 'woocommerce', 'standard']);
  expect(await offered('connect', '--platform', 'standard', '--rec')).toEqual(['--record-from']);
  expect(await offered('start', '--role', 'w')).toEqual(['worker']);
  expect(await offered('order', 'an order', '--j')).toEqual(['--json']);
  expect(await offered('order', 'nothing-such')).toEqual([]);
});

test('bash takes the script with complete, for the shim, too', async () => {
  const { stdout } = await run('bash', ['--norc', '-euc', `${script}\ncomplete -p orderbridge; complete -p ./orderbridge`]);

  expect(stdout).toMatch(/-F _orderbridge orderbridge\n.*-F _orderbridge \.\/orderbridge/);
});

test('zsh and fish have scripts, another shell is refused, and the version is that of the package', async () => {
  await using program = await Program.prepare();

  expect(await program.ok(['completion', 'zsh'])).toBe(`autoload -U +X bashcompinit && bashcompinit\n${script}`);
  // zsh takes a letter there for a modifier: “unrecognized modifier”.
  expect(script).not.toMatch(/\$\{\w+\[@\]:\w*:[A-Za-z]/);
  const fish = await program.ok(['completion', 'fish']);
  expect(fish).toContain(`complete -c orderbridge -n '__orderbridge_at group ""' -f -a connect -d 'connect a store`);
  expect(fish).toMatch(/__orderbridge_at leaf "connect"' -l platform -x -a 'shopify woocommerce standard' -d/);
  expect(await program.run(['completion', 'tcsh'])).toMatchObject({ code: 1, out: '' });
  expect(await program.run(['--version'])).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' });
});

test('a secret of a file that git could commit is taken with a warning', async () => {
  await using folder = await scratchDir();
  await run('git', ['init', '--quiet', folder.path]);
  await mkdir(join(folder.path, 'deep'));
  for (const name of ['.gitignore', 'deep/secret.txt', 'deep/other']) await writeFile(join(folder.path, name), 'secret.txt\n');

  expect(await couldBeCommitted(join(folder.path, 'deep/other'))).toBe(true);
  expect(await couldBeCommitted(join(folder.path, 'deep/secret.txt'))).toBe(false);
  await using outside = await scratchDir();
  expect(await couldBeCommitted(join(outside.path, 'other'))).toBe(false);
});
