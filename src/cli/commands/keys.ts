import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { counted } from '../../contract/plural.ts';
import type { KeyReport, ToRenew } from '../../operations/keys/report-keys.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';

export function keysCommand(context: CliContext): Command {
  const show = new Command('show')
    .description('Shows ENCRYPTION_KEYS by their ids, what is sealed with which, whether an old one may go, and what to renew after a leak.')
    .option('--json', 'print JSON: masters, purposes, waiting, unknown, sealedAt, mayGo, toRenew')
    .action((options: { json?: true }) => withCore(context, (core) => showKeys(context, core, options)));
  const rotate = new Command('rotate')
    .description(
      'Seals the data keys with the newest of ENCRYPTION_KEYS, while everything runs; it is refused until each process has it. If interrupted, it continues when it is run again.',
    )
    .option('--leaked', 'an old key is known to somebody: make new data keys, encrypt anew what is stored, and list the secrets to renew elsewhere')
    .addOption(whyOption())
    .action((options: { leaked?: true; why?: string }) => withCore(context, (core) => rotateNow(context, core, options)));
  return new Command('keys').description('The encryption keys.').addCommand(show, { isDefault: true }).addCommand(rotate);
}

async function showKeys(context: CliContext, core: Core, { json }: { json?: true }): Promise<void> {
  const { reportKeys } = await import('../../operations/keys/report-keys.ts');
  const masters = core.keys.masters.map(({ id }) => id);
  const report = await reportKeys({ pool: core.pool, masters, jobs: () => withQueues(core, jobsOf) });
  const toRenew = await secretsLeft(core);
  if (json) return printJson(context, { ...report, toRenew });
  printTable(context, {
    header: ['key', 'data keys', 'unknown to'],
    rows: report.masters.map(({ id, dataKeys, unknownTo }) => [id, String(dataKeys), unknownTo ?? '']),
  });
  printLines(context, ['']);
  printTable(context, {
    header: ['purpose', 'data key', 'made under', 'texts', 'of former keys'],
    rows: report.purposes.map((one) => [one.purpose, one.dataKey ?? '', one.madeUnder ?? '', String(one.sealed), String(one.sealedBefore)]),
  });
  printLines(context, ['', ...conclusions(report)]);
  printToRenew(context, toRenew);
}

async function jobsOf({ deliveries, maintenance }: Parameters<Parameters<typeof withQueues>[1]>[0]): Promise<string[]> {
  const jobs = await Promise.all([deliveries, maintenance].map((queue) => queue.getJobs(['waiting', 'prioritized', 'active', 'delayed', 'failed'])));
  return jobs.flat().map(({ data }) => JSON.stringify(data));
}

function conclusions({ masters, mayGo, sealedAt, purposes, waiting, unknown }: KeyReport): string[] {
  const [newest, ...older] = masters;
  const former = purposes.reduce((sum, { sealedBefore }) => sum + sealedBefore, 0) + waiting.inbox + waiting.queue;
  const backups = sealedAt === null ? '' : ` Backups made before ${localTime(sealedAt)} need it: keep it as long as them, elsewhere.`;
  const since = new Set(mayGo);
  return [
    ...mayGo.map((id) => `The old key ${id} may go: nothing in the database, the queue, the inbox and the outbox needs it.${backups}`),
    ...older.filter(({ id }) => !since.has(id)).map(({ id }) => `The key ${id} must stay: run \`orderbridge keys rotate\`, and see here again.`),
    ...(newest?.unknownTo == null ? [] : [`The newest key ${newest.id} is not known to ${newest.unknownTo}: restart it with the same ENCRYPTION_KEYS.`]),
    ...(former === 0
      ? []
      : [
          `${counted.en(former, 'text is', 'texts are')} still sealed with former data keys (${waiting.inbox} in the inbox, ${waiting.queue} in the queue): run \`orderbridge keys rotate --leaked\`.`,
        ]),
    ...(unknown === 0 ? [] : [`${counted.en(unknown, 'text', 'texts')} can’t be opened: no data key of the database sealed them.`]),
  ];
}

async function rotateNow(context: CliContext, core: Core, { leaked: isLeaked = false, why }: { leaked?: boolean; why?: string }): Promise<void> {
  const { rotateKeys } = await import('../../operations/keys/rotate-keys.ts');
  const onSealed = (column: string, count: number) => note(context, `${column}: ${count} encrypted anew`);
  const rotated = await rotateKeys(core, { isLeaked, onSealed, by: cliActor(), ...(why !== undefined && { why }) });
  printLines(context, [
    `All data keys are sealed with ${rotated.newest}; ${counted.en(rotated.dataKeys, 'was', 'were')} sealed anew.`,
    ...(isLeaked ? [`${counted.en(rotated.sealed, 'text was', 'texts were')} encrypted anew with new data keys.`] : []),
    ...rotated.broken.map((place) => `${place} does not open, and stays as it is: it was sealed for another row, or changed.`),
    ...(isLeaked ? [] : ['`orderbridge keys` says whether the old key may go.']),
  ]);
  if (!isLeaked) return;
  printToRenew(context, await secretsLeft(core));
  printLines(context, [
    '',
    'Links in mails of months no longer work; the next mail has a new one. Digests of mailboxes keep their key. `orderbridge keys` lists what is left to renew.',
  ]);
}

async function secretsLeft(core: Core): Promise<ToRenew[]> {
  const { secretsToRenew } = await import('../../operations/keys/report-keys.ts');
  const { openService } = await import('../../app/embedded-service.ts');
  const { hasService } = await import('../../service/database/service-tables.ts');
  await using service = (await hasService(core.pool)) ? await openService(core) : null;
  return await secretsToRenew({ ...core, keys: service?.keys ?? null });
}

function printToRenew(context: CliContext, secrets: readonly ToRenew[]): void {
  if (secrets.length === 0) return;
  printLines(context, ['', 'Anyone who had the leaked key may know these; renew them:']);
  printTable(context, { header: ['secret', 'how'], rows: secrets.map(({ what, how }) => [what, how]), keep: ['how'] });
}
