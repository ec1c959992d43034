import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storefronts } from '../../src/bridge/storefronts/registry.ts';
import { wellKnownGateways } from '../../src/bridge/storefronts/well-known-gateways.ts';
import { plantTree } from '../support/servers/planted-tree.ts';

const repository = join(import.meta.dirname, '../..');
const AT_HOME = /^src\/(bridge\/storefronts|demo)\//;

/** The places elsewhere that may name a platform, and why. */
const allowed: Record<string, string> = {
  'src/config/environment.ts: shopify': 'the name of a variable that users set',
  'src/cli/commands.ts: shopify': 'the name of a command that people type',
  'src/cli/examples.ts: shopify': 'the same, in the examples of its sub-commands',
  'src/cli/commands/demo.ts: shopify': 'help says which stores the demo plays',
  'src/cli/commands/demo.ts: woo': 'help says which stores the demo plays',
  'src/cli/commands/shopify-app.ts: shopify': 'the name of a command that people type, its help and its platform',
  'src/operations/keys/report-keys.ts: shopify': 'the name of a command that people type',
  'src/platform/log.ts: consumerkey': 'logs hide it, whichever platform it is of',
  'src/platform/log.ts: consumersecret': 'logs hide it, whichever platform it is of',
};

// A rule about imports can't see a name in a string or a sentence. The name of a platform may be a word of any language, so that of most only
// the literal counts.
const literals = [...Object.keys(storefronts), ...Object.values(wellKnownGateways).flat()];
const patterns = [
  /shopify|woo|\bconsumer(?:Key|Secret)\b/gi,
  new RegExp(`(?<=['"\`])(?:${literals.join('|')})(?=['"\`])`, 'g'),
  new RegExp(`(?<=/webhooks/)(?:${Object.keys(storefronts).join('|')})`, 'g'),
];

function namesIn(root: string): string[] {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !AT_HOME.test(file));
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([name]) => `${file}: ${name.toLowerCase()}`));
  });
  return [...new Set(found)].sort();
}

test('no platform is named outside its folder and the demo', () => {
  expect(globSync('src/**/*.ts', { cwd: repository }).length).toBeGreaterThan(300);
  expect(namesIn(repository)).toEqual(Object.keys(allowed).sort());
});

test('a planted name is found in any form', async () => {
  await using tree = await plantTree(
    {
      'src/bridge/delivery/waits.ts': "export const waits = (platform: string): boolean => platform !== 'shopify';\n",
      'src/bridge/ledger/earlier.ts': "export const sql = `select store from connections where platform = 'standard'`;\n",
      'src/bridge/intake/app.ts': "export const path = '/webhooks/standard/c_1';\n",
      'src/bridge/order/processors.ts': "export const processors = ['ppcp-gateway'];\n",
      'src/bridge/store-api/keys.ts': 'export type Keys = { consumerKey: string };\n',
      'src/cli/remark.ts': '// WooCommerce stores say so themselves.\nexport const remark = 1;\n',
      'src/contract/standard.ts': "export const words = 'a standard sale';\n",
      'src/bridge/storefronts/woocommerce/own.ts': "export const own = 'woocommerce';\n",
      'src/demo/story.ts': "export const plays = 'shopify';\n",
    },
    [],
  );

  expect(namesIn(tree.root)).toEqual([
    'src/bridge/delivery/waits.ts: shopify',
    'src/bridge/intake/app.ts: standard',
    'src/bridge/ledger/earlier.ts: standard',
    'src/bridge/order/processors.ts: ppcp-gateway',
    'src/bridge/store-api/keys.ts: consumerkey',
    'src/cli/remark.ts: woo',
  ]);
});
