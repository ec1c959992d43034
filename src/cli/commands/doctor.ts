import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Config } from '../../config/config.ts';
import type { Dialect, Extensions } from '../../contract/dialect.ts';
import { counted } from '../../contract/plural.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { withLocalTimes } from '../../platform/terminal/local-time.ts';
import { printLines, printTable } from '../../platform/terminal/print.ts';
import { textFields } from '../../platform/terminal/text-table.ts';
import type { DoctorLine } from '../check-up.ts';
import { markTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';

export function doctorCommand(context: CliContext): Command {
  return new Command('doctor')
    .description(
      'Tells all that `orderbridge status` does, and what is right, too. Checks the configuration, the database, the queue (that none is paused; with the persistence and eviction policy of Redis), the compliance API ' +
        '(that it can be reached and accepts the keys, by a DELETE of an order that can’t exist, which must answer 404), with our own one also the mail server, ' +
        'exchange rates and audit files; of each connected store whether its shop is known, its key reads orders, and when its last webhook came; ' +
        'the identity provider, if there is one; PUBLIC_URL, orders that seem to be left out or to lack their VAT, the disk and the clock, ' +
        'and prints every setting of the requests to the compliance API. Exit code 1 if something is wrong, 0 if things only wait for a person.',
    )
    .action(() => withCore(context, (core) => doctor(context, core)));
}

async function doctor(context: CliContext, core: Core): Promise<void> {
  const { openComplianceAccess, openComplianceClient } = await import('../../app/compliance-api.ts');
  const { openEndpoints } = await import('../../app/gateway.ts');
  const { healthDeps } = await import('../../app/health-reader.ts');
  const { outsideOf } = await import('../../app/outside.ts');
  const { isServed } = await import('../../app/running-server.ts');
  const { createStoreFetch } = await import('../../app/store-access.ts');
  const { openWatchedQueues } = await import('../../app/watched-queues.ts');
  const { checkUp } = await import('../check-up.ts');
  const { serverEnv } = await import('../server-config.ts');
  const { misspeltVariables, misspeltWords } = await import('../../config/misspelt-variables.ts');
  const { config, connections, destinations } = core;
  await using resources = new AsyncDisposableStack();
  const queues = resources.use(await openWatchedQueues(core));
  const access = resources.use(await openComplianceAccess(core));
  const client = resources.use(openComplianceClient(config));
  const health = { ...healthDeps(core, queues), isServed: () => isServed(core) };
  const endpoint = openEndpoints(core, () => Promise.reject(new Error('our own is not called')));
  const outside = outsideOf(core, { client, connections, destinations, endpoint, configured: () => access.endpoint(null) });
  const parts = { access, client, fetchJson: createStoreFetch(config), connections, destinations };
  const misspelt = misspeltVariables(serverEnv(context)).map((one): DoctorLine => ({ mark: 'note', what: 'configuration', words: misspeltWords(one) }));
  const lines = [...misspelt, ...(await checkUp({ ...health, ...outside, ...parts }))];
  printTable(context, {
    header: ['', 'what', 'finding'],
    rows: lines.map(({ mark, what, words }) => [mark, what, withLocalTimes(words)]),
    wrap: 'finding',
    keep: [''],
    tones: { '': markTone },
  });
  printLines(context, ['', 'Settings of requests to the compliance API:', ...dialectLines(access.dialect, await extensionsOf(config))]);
  const wrong = [...new Set(lines.filter(({ mark }) => mark === 'WRONG').map(({ what }) => what))];
  if (wrong.length > 0) throw new CliError(`${counted.en(wrong.length, 'check', 'checks')} failed: ${wrong.join(', ')}; the findings say what to do`);
}

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

async function extensionsOf({ compliance }: Config): Promise<Extensions> {
  const { embeddedExtensions, NO_EXTENSIONS } = await import('../../contract/dialect.ts');
  return compliance.kind === 'remote' ? (compliance.extensions ?? NO_EXTENSIONS) : embeddedExtensions;
}

function dialectLines(dialect: Dialect, extensions: Extensions): string[] {
  const settings: Record<string, string> = { ...dialect, ...extensions };
  return textFields(Object.entries(VARIABLES).map(([name, variable]) => [variable, settings[name] ?? ''] as const)).map((line) => `  ${line}`);
}
