import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lintPlants } from '../support/plants/lint-plants.ts';
import { plantTree } from '../support/servers/planted-tree.ts';
import { runTool } from '../support/servers/run-tool.ts';

const repository = join(import.meta.dirname, '../..');

// Plants of knip and the compiler are in test/long/gates.test.ts.
test('Biome reports each planted file by its rule', async () => {
  const texts = Object.fromEntries(Object.values(lintPlants).map(({ file, text }) => [file, text]));
  await using tree = await plantTree(texts, ['biome.json', 'package.json']);

  const { code, output } = await runTool('biome', ['check', '--reporter=github', '--max-diagnostics=none', '.'], tree.root);

  const silent = Object.entries(lintPlants).filter(([rule, { file }]) => !reported(output, rule, file));
  expect({ code, silent: silent.map(([rule]) => rule) }).toEqual({ code: 1, silent: [] });
});

test('Biome lets the command line print, and main touch the process', async () => {
  const allowed = {
    'src/cli/say.ts': "export const say = (): void => console.log('hello');\n",
    'src/main.ts': 'process.exitCode = 0;\n',
    'vitest.config.ts': 'export default {};\n',
  };
  await using tree = await plantTree(allowed, ['biome.json', 'package.json']);

  expect(await runTool('biome', ['check', '.'], tree.root)).toMatchObject({ code: 0 });
});

test('the container files are looked at', async () => {
  await using tree = await plantTree(
    {
      Dockerfile: 'FROM node:24-slim\nEXPOSE nothing\nCMD ["a"]\n',
      'docker-compose.yml': 'name: planted\nservices:\n  open:\n    image: redis:8-alpine\n    ports:\n      - "6379:6379"\n',
    },
    ['.dclintrc.json'],
  );

  const dockerfile = await runTool('node', [join(repository, 'scripts/lint-dockerfile.ts'), 'Dockerfile'], tree.root);
  const compose = await runTool('dclint', ['--config', '.dclintrc.json', '--max-warnings', '0', 'docker-compose.yml'], tree.root);

  expect(dockerfile).toMatchObject({ code: 1, output: expect.stringContaining('Dockerfile:2') });
  expect(compose).toMatchObject({ code: 1, output: expect.stringContaining('no-unbound-port-interfaces') });
});

test('markup that escaping does not protect, or that is written past the tag, is reported', async () => {
  const planted = {
    'src/web/link.ts': `import { html } from './html.ts';\n\nexport const link = (to: string) => html\`<a href=\${to}>there</a>\`;\n`,
    'src/web/open.ts': `import { html } from './html.ts';\n\nexport const open = (name: string) => html\`<p>\${html\`<b>\${name}</p>\`}</p>\`;\n`,
    'src/service/pasted.ts': `// Ценник\nexport const pasted = (name: string) => \`<b>\${name}</b>\`;\n`,
    'src/bridge/added.ts': `export const added = (name: string) => '<b>' + name + '</b>';\n`,
    'src/bridge/shown.ts': `export const shown = (to: string) => '<img src=' + to + '>';\n`,
    'src/bridge/broken.ts': `export const broken = (lines: string[]) => lines.join('<br>');\n`,
    'src/bridge/cut.ts': `export const cut = (rest: string) => '<script' + rest;\n`,
    'src/bridge/custom.ts': `export const custom = (x: string) => \`<label for=\${x}>\`;\n`,
    'src/cli/usage.ts': `export const usage = ['connect <platform> <name>', 'a <b', 'Anna <anna@shop.example>', '<address>', '1 <a && b> 2'];\n`,
    'src/service/audit/format/xml.ts': `export const xml = '<eik></eik>';\n`,
    'src/web/sound.ts': `import { html } from './html.ts';\n\nexport const sound = (to: string) => html\`<a href="/orders?after=\${to}">more</a>\`;\n`,
  };
  await using tree = await plantTree(planted, []);

  const { code, output } = await runTool('node', [join(repository, 'scripts/lint-templates.ts'), 'src'], tree.root);

  const found = [...output.matchAll(/^(src\S+:\d+) (\S+):/gm)].map(([, at, rule]) => `${at} ${rule}`);
  expect({ code, found: found.sort() }).toEqual({
    code: 1,
    found: [
      'src/bridge/added.ts:1 markup-is-made-by-html',
      'src/bridge/added.ts:1 markup-is-made-by-html',
      'src/bridge/broken.ts:1 markup-is-made-by-html',
      'src/bridge/custom.ts:1 markup-is-made-by-html',
      'src/bridge/cut.ts:1 markup-is-made-by-html',
      'src/bridge/shown.ts:1 markup-is-made-by-html',
      'src/service/pasted.ts:2 markup-is-made-by-html',
      'src/web/link.ts:3 templates-are-safe',
      'src/web/open.ts:3 templates-are-safe',
    ],
  });
});

function reported(output: string, rule: string, file: string): boolean {
  const title = rule === 'format' ? 'format' : `lint/${rule}`;
  return output.split('\n').some((line) => line.includes(`title=${title},`) && line.includes(`/${file},`));
}
