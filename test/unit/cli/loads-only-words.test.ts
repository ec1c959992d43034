import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const HOOK = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { process.stderr.write('loads ' + url + '\\n'); return next(url, context); } });`;

/** The sources that a command line loads, and how it ends. */
function loadedBy(...args: string[]): { status: number | null; sources: string[] } {
  const given = ['--import', `data:text/javascript,${encodeURIComponent(HOOK)}`, join(root, 'src/main.ts'), ...args];
  const { status, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8', cwd: root, env: { PATH: process.env['PATH'] } });
  const sources = [...stderr.matchAll(/^loads (?:file:\/\/\S+\/)?(src\/\S+|node_modules\/(?:@[^/]+\/)?[^/]+|node:crypto)/gm)].map(([, path = '']) => path);
  return { status, sources: [...new Set(sources)].sort() };
}

/** The program, what commands are declared by, and the little that it needs: names of options, states, roles, limits and words. What a command does it loads when it runs. */
const DECLARED = [
  /^src\/main\.ts$/,
  /^src\/cli\/(commands|input|output)\//,
  /^src\/cli\/(commands|examples|run-cli|with-core|with-queues)\.ts$/,
  /^src\/cli\/text\/(audit-text|money|tones)\.ts$/,
  /^src\/platform\/(terminal\/(context|harmless-json|local-time|print|text-table)|error-words|program-version|source-places)\.ts$/,
  /^src\/contract\/(day|did-you-mean|limits|messages|own-value|person-role|plural|uuid)\.ts$/,
  /^src\/bridge\/(order\/decisions\/order-state|order\/facts\/(failure|refused-requests)|storefronts\/(connect-options|store-host))\.ts$/,
  /^src\/(config\/config|operations\/(refusal|words|people\/rights)|service\/law\/(calendar|deadlines))\.ts$/,
  /^node_modules\/commander$/,
];

function strays(sources: readonly string[]): string[] {
  return sources.filter((source) => !DECLARED.some((pattern) => pattern.test(source)));
}

test.each([
  ['help of the program', 0, ['--help']],
  ['its version', 0, ['--version']],
  ['help of a command', 0, ['resolve', '--help']],
  ['help of a command that asks for a store’s keys', 0, ['connect', '--help']],
  ['help of a group', 0, ['service', '--help']],
  ['help of a command of a group', 0, ['alerts', 'list', '--help']],
  ['a command that does not exist', 1, ['no-such-command']],
  ['an option that does not exist', 1, ['orders', '--no-such-option']],
  ['a value that is not one', 1, ['orders', '--limit', 'many']],
])('%s loads nothing of what commands do', (_, ends, args) => {
  const { status, sources } = loadedBy(...args);

  expect({ status, strays: strays(sources) }).toEqual({ status: ends, strays: [] });
  expect(sources).toContain('src/cli/run-cli.ts');
});

test('completion loads the declarations of all commands, and nothing of what they do', () => {
  const { status, sources } = loadedBy('completion', 'bash');

  expect({ status, strays: strays(sources) }).toEqual({ status: 0, strays: [] });
  expect(sources.filter((source) => source.startsWith('src/cli/commands/')).length).toBeGreaterThan(15);
});

test('a command that runs does load it', () => {
  expect(loadedBy('service', 'audit', 'verify', 'no-such-file').sources).toContain('src/service/audit/format/verify-audit-file.ts');
});
