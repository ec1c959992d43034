import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const repository = join(import.meta.dirname, '../../..');

/** Those of `npm run layers`. */
export const layerOptions = await extractDepcruiseOptions(join(repository, '.dependency-cruiser.mjs'));

type Plant = { rule: string; file: string; imports: string; typeOnly?: true };

/** One import per row; its file breaks the named rule. Targets that are not listed as a file here are written empty. */
export const layerPlants: Plant[] = [
  { rule: 'bridge-knows-nothing-of-the-service', file: 'src/bridge/delivery/shortcut.ts', imports: '../../service/router.ts' },
  { rule: 'bridge-knows-nothing-of-the-service', file: 'src/bridge/connections/law.ts', imports: '../../service/law/months.ts', typeOnly: true },
  { rule: 'bridge-knows-nothing-of-the-service', file: 'src/bridge/intake/configured.ts', imports: '../../config/config.ts' },
  { rule: 'service-knows-nothing-of-the-bridge', file: 'src/service/peek.ts', imports: '../bridge/ledger/rows.ts', typeOnly: true },
  { rule: 'service-knows-nothing-of-the-bridge', file: 'src/service/reuse.ts', imports: '../bridge/client/port.ts' },
  { rule: 'service-knows-nothing-of-the-bridge', file: 'src/service/shop.ts', imports: '../config/config.ts' },
  { rule: 'contract-is-only-vocabulary', file: 'src/contract/send.ts', imports: 'got' },
  { rule: 'contract-is-only-vocabulary', file: 'src/contract/peek.ts', imports: '../bridge/order/facts.ts', typeOnly: true },
  { rule: 'platform-knows-no-business', file: 'src/platform/clever.ts', imports: '../contract/record.ts', typeOnly: true },
  { rule: 'platform-knows-no-business', file: 'src/platform/keys.ts', imports: '../config/config.ts' },
  { rule: 'web-is-only-shape', file: 'src/web/order-page.ts', imports: '../bridge/order/facts.ts', typeOnly: true },
  { rule: 'config-is-below-the-programs', file: 'src/config/stores.ts', imports: '../bridge/connections/connection.ts', typeOnly: true },
  { rule: 'config-is-below-the-programs', file: 'src/config/pages.ts', imports: '../web/html.ts' },
  { rule: 'operations-join-the-programs', file: 'src/operations/wired.ts', imports: '../app/app.ts', typeOnly: true },
  { rule: 'operations-join-the-programs', file: 'src/operations/query.ts', imports: 'pg', typeOnly: true },
  { rule: 'operations-join-the-programs', file: 'src/operations/prints.ts', imports: '../cli/print.ts' },
  { rule: 'operations-join-the-programs', file: 'src/operations/page.ts', imports: '../web/html.ts', typeOnly: true },
  { rule: 'operations-join-the-programs', file: 'src/operations/answers.ts', imports: 'express', typeOnly: true },
  { rule: 'operations-join-the-programs', file: 'src/operations/options.ts', imports: 'commander' },
  { rule: 'operations-neither-print-nor-read-files', file: 'src/operations/shows.ts', imports: '../platform/terminal/print.ts' },
  { rule: 'operations-neither-print-nor-read-files', file: 'src/operations/loads.ts', imports: 'node:fs/promises' },
  { rule: 'operations-neither-print-nor-read-files', file: 'src/operations/configured.ts', imports: '../config/read-config.ts' },
  { rule: 'operations-hand-the-pool-on', file: 'src/operations/transaction.ts', imports: '../platform/postgres/postgres.ts' },
  { rule: 'console-shows-and-asks', file: 'src/console/wired.ts', imports: '../app/app.ts', typeOnly: true },
  { rule: 'pages-read-and-compute', file: 'src/console/sends.ts', imports: '../bridge/client/port.ts' },
  { rule: 'pages-read-and-compute', file: 'src/connect/transaction.ts', imports: '../platform/postgres/read-rows.ts' },
  { rule: 'connect-shows-and-asks', file: 'src/connect/wired.ts', imports: '../app/app.ts', typeOnly: true },
  { rule: 'connect-shares-the-frame', file: 'src/connect/borrows.ts', imports: '../console/pages/orders/orders-page.ts' },
  { rule: 'console-knows-no-merchants-pages', file: 'src/console/merchant.ts', imports: '../connect/pages.ts', typeOnly: true },
  { rule: 'order-is-pure', file: 'src/bridge/order/clock.ts', imports: 'node:fs' },
  { rule: 'order-is-pure', file: 'src/bridge/order/parsed.ts', imports: 'zod' },
  { rule: 'order-is-pure', file: 'src/bridge/order/known.ts', imports: '../connections/connection.ts', typeOnly: true },
  { rule: 'keys-are-hashed-in-one-place', file: 'src/bridge/order/chance.ts', imports: 'node:crypto' },
  { rule: 'storefronts-import-little', file: 'src/bridge/storefronts/shopify/fetch.ts', imports: 'got' },
  { rule: 'storefronts-import-little', file: 'src/bridge/storefronts/shopify/disk.ts', imports: 'node:fs' },
  { rule: 'storefronts-are-islands', file: 'src/bridge/storefronts/shopify/borrow.ts', imports: '../woocommerce/payload.ts' },
  { rule: 'platforms-hide-behind-the-registry', file: 'src/bridge/intake/shortcut.ts', imports: '../storefronts/woocommerce/payload.ts' },
  { rule: 'platforms-hide-behind-the-registry', file: 'src/bridge/storefronts/contract.ts', imports: './woocommerce/payload.ts' },
  { rule: 'client-imports-little', file: 'src/bridge/client/disk.ts', imports: 'pg' },
  { rule: 'client-imports-little', file: 'src/bridge/client/store.ts', imports: '../ledger/rows.ts' },
  { rule: 'use-cases-know-no-store', file: 'src/bridge/delivery/rows.ts', imports: '../ledger/rows.ts', typeOnly: true },
  { rule: 'law-is-data', file: 'src/service/law/asks.ts', imports: '../orders/orders.ts', typeOnly: true },
  { rule: 'format-knows-the-file', file: 'src/service/audit/format/asks.ts', imports: '../../orders/orders.ts', typeOnly: true },
  { rule: 'decimals-are-checked-first', file: 'src/contract/sums.ts', imports: 'decimal.js' },
  { rule: 'bullmq-stays-in-its-shells', file: 'src/bridge/intake/enqueue.ts', imports: 'bullmq' },
  { rule: 'bullmq-stays-in-its-shells', file: 'src/bridge/delivery/converge.ts', imports: 'bullmq', typeOnly: true },
  { rule: 'bullmq-is-made-in-one-place', file: 'src/bridge/delivery/own-worker.ts', imports: 'bullmq' },
  { rule: 'express-stays-at-the-edge', file: 'src/bridge/intake/handler.ts', imports: 'express', typeOnly: true },
  { rule: 'sql-stays-in-the-ledgers', file: 'src/app/query.ts', imports: '../platform/postgres/read-rows.ts' },
  { rule: 'postgres-has-one-entry', file: 'src/app/own-cluster.ts', imports: '../platform/postgres/cluster/postgres-cluster.ts' },
  { rule: 'postgres-has-one-entry', file: 'src/bridge/ledger/asserted.ts', imports: 'pg', typeOnly: true },
  { rule: 'postgres-has-one-entry', file: 'src/service/asserted.ts', imports: 'pg', typeOnly: true },
  { rule: 'service-uses-few-packages', file: 'src/service/calls.ts', imports: 'got' },
  { rule: 'queue-has-few-entries', file: 'src/app/redis.ts', imports: '../platform/queue/ending-redis.ts' },
  { rule: 'mail-has-few-entries', file: 'src/service/mail/resend.ts', imports: '../../platform/mail/send-mail.ts', typeOnly: true },
  { rule: 'platform-parts-stand-alone', file: 'src/platform/mail/queued.ts', imports: '../queue/queue-system.ts', typeOnly: true },
  { rule: 'identity-providers-stay-in-oidc', file: 'src/operations/people/tokens.ts', imports: 'openid-client', typeOnly: true },
  { rule: 'telemetry-stays-in-traces', file: 'src/app/spans.ts', imports: '@opentelemetry/api', typeOnly: true },
  { rule: 'mail-servers-stay-in-mail', file: 'src/service/mails.ts', imports: 'nodemailer' },
  { rule: 'edges-are-nobodys-base', file: 'src/app/render.ts', imports: '../cli/print.ts' },
  { rule: 'demo-is-a-command', file: 'src/demo/run.ts', imports: '../cli/print.ts' },
  { rule: 'nobody-imports-the-app', file: 'src/config/locate.ts', imports: '../app/app.ts' },
  { rule: 'no-cycles', file: 'src/config/chicken.ts', imports: './egg.ts' },
  { rule: 'no-folder-cycles', file: 'src/bridge/intake/left.ts', imports: '../store-api/right.ts', typeOnly: true },
  { rule: 'product-without-tools', file: 'src/platform/helped.ts', imports: '../../test/support/help.ts' },
  { rule: 'no-dev-dependencies', file: 'src/platform/generated.ts', imports: 'fast-check' },
  { rule: 'only-declared-packages', file: 'src/platform/lucky.ts', imports: 'cosmiconfig' },
  { rule: 'imports-resolve', file: 'src/platform/lost.ts', imports: './nowhere.ts' },
];

/** The plants with what they import. */
export function plantedFiles(): Record<string, string> {
  const bridge = ['bridge/storefronts/woocommerce/payload', 'bridge/ledger/rows', 'bridge/client/port', 'bridge/order/facts', 'bridge/connections/connection'];
  const service = ['service/router', 'service/law/months', 'service/orders/orders'];
  const parts = [
    'platform/postgres/cluster/postgres-cluster',
    'platform/queue/ending-redis',
    'platform/queue/queue-system',
    'platform/mail/send-mail',
    'platform/postgres/postgres',
    'platform/postgres/read-rows',
  ];
  const below = ['config/config', 'config/read-config', 'contract/record', 'platform/log', 'platform/terminal/print', 'web/html', ...parts];
  const edges = ['cli/print', 'app/app', 'console/pages/orders/orders-page', 'connect/pages'];
  const empty = [...bridge, ...service, ...below, ...edges].map((path) => `src/${path}.ts`).concat('test/support/help.ts');
  return {
    ...Object.fromEntries(empty.map((path) => [path, 'export type It = string;\nexport const it = 1;\n'])),
    // Two folders that import each other, though no two files do.
    'src/bridge/store-api/right.ts': 'export type It = string;\n',
    'src/bridge/store-api/back.ts': "import type { It } from '../intake/base.ts';\nexport type Mine = It;\n",
    'src/bridge/intake/base.ts': 'export type It = string;\n',
    'src/config/egg.ts': "import { mine } from './chicken.ts';\nexport const it = mine;\n",
    ...Object.fromEntries(layerPlants.map((plant) => [plant.file, source(plant)])),
  };
}

function source({ imports, typeOnly }: Plant): string {
  return typeOnly ? `import type { It } from '${imports}';\nexport type Mine = It;\n` : `import { it } from '${imports}';\nexport const mine = it;\n`;
}

/** What the rules say of a tree. */
export async function cruised(baseDir: string): Promise<ICruiseResult> {
  const { output } = await cruise(['src'], { ...layerOptions, baseDir });
  if (typeof output === 'string') throw new Error(`expected a result, got text: ${output.slice(0, 200)}`);
  return output;
}

export function violations({ summary }: ICruiseResult): string[] {
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}
