import { openComplianceAccess, openComplianceClient } from '../../app/compliance-api.ts';
import type { Core } from '../../app/core.ts';
import { everyQueue } from '../../app/every-queue.ts';
import { healthDeps, mailCheck } from '../../app/health-reader.ts';
import { identityProvider } from '../../app/identity-provider.ts';
import { openQueues } from '../../app/queues.ts';
import { isServed } from '../../app/running-server.ts';
import { createStoreFetch } from '../../app/store-access.ts';
import type { Config } from '../../config/config.ts';
import { misspeltVariables, misspeltWords } from '../../config/misspelt-variables.ts';
import { type Dialect, type Extensions, embeddedExtensions, NO_EXTENSIONS } from '../../contract/dialect.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { withLocalTimes } from '../../platform/terminal/local-time.ts';
import { printLines, printTable } from '../../platform/terminal/print.ts';
import { textFields } from '../../platform/terminal/text-table.ts';
import type { CheckFinding } from '../doctor/check-connections.ts';
import { checkUp, wrongThings } from '../doctor/check-up.ts';
import { serverEnv } from '../server-config.ts';
import { markTone } from '../text/tones.ts';

export async function doctor(context: CliContext, core: Core): Promise<void> {
  const { config } = core;
  await using resources = new AsyncDisposableStack();
  const queues = resources.use(openQueues(core));
  const access = resources.use(await openComplianceAccess(core));
  const client = resources.use(openComplianceClient(config));
  const result = { ...healthDeps(core, { ...queues, every: everyQueue(queues) }), isServed: () => isServed(config) };
  const outside = { mail: mailCheck(config), provider: identityProvider(config) };
  const parts = { access, client, fetchJson: createStoreFetch(config), ...outside, isOwn: config.compliance.kind === 'embedded' };
  const misspelt = misspeltVariables(serverEnv(context)).map((one): CheckFinding => ({ what: 'configuration', result: 'remark', words: misspeltWords(one) }));
  const findings = [...misspelt, ...(await checkUp({ ...result, ...parts, connections: core.connections }))];
  printTable(context, {
    header: ['', 'what', 'finding'],
    rows: findings.map(({ result: mark, what, words: finding }) => [marks[mark], what, withLocalTimes(finding)]),
    wrap: 'finding',
    keep: [''],
    tones: { '': markTone },
  });
  printLines(context, ['', 'Settings of requests to the compliance API:', ...dialectLines(access.dialect, extensionsOf(config))]);
  const wrong = wrongThings(findings);
  if (wrong.length > 0) throw new CliError(`not right: ${wrong.join(', ')}; the findings say what to do`);
}

const marks: Readonly<Record<CheckFinding['result'], string>> = { ok: 'ok', remark: 'note', wrong: 'WRONG' };

const VARIABLES = {
  signatureAlgorithm: 'COMPLIANCE_SIGNATURE_ALGORITHM',
  signatureEncoding: 'COMPLIANCE_SIGNATURE_ENCODING',
  signatureEmptyBody: 'COMPLIANCE_SIGNATURE_EMPTY_BODY',
  amounts: 'COMPLIANCE_AMOUNTS',
  vatRate: 'COMPLIANCE_VAT_RATE',
  idempotencyKey: 'COMPLIANCE_IDEMPOTENCY_KEY',
  forgetsBuyers: 'COMPLIANCE_FORGETS_BUYERS',
  delivered: 'COMPLIANCE_DELIVERED',
} as const satisfies Record<keyof (Dialect & Extensions), string>;

function extensionsOf({ compliance }: Config): Extensions {
  return compliance.kind === 'remote' ? (compliance.extensions ?? NO_EXTENSIONS) : embeddedExtensions;
}

function dialectLines(dialect: Dialect, extensions: Extensions): string[] {
  const settings: Record<string, string> = { ...dialect, ...extensions };
  return textFields(Object.entries(VARIABLES).map(([name, variable]) => [variable, settings[name] ?? ''] as const)).map((line) => `  ${line}`);
}
