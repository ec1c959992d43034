import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { errorWords } from '../../../platform/error-words.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../../platform/terminal/print.ts';
import { type AuditDeps, type Generation, generateMonth } from '../../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../../service/audit/month/month-key.ts';
import { readVersionById } from '../../../service/audit/month/read-versions.ts';
import { queueMailOf } from '../../../service/audit/month/serve-month.ts';
import { sofiaDay } from '../../../service/law/sofia-day.ts';
import { month } from '../../input/arguments.ts';
import { MonthFiles } from '../../output/month-files.ts';
import { withProgressBar } from '../../output/progress-bar.ts';
import { knownShop } from '../../service/known-shop.ts';
import { withService } from '../../service/with-service.ts';
import { auditCommandLine, blockedText, nextStepText, refusalWords, versionText } from '../../text/audit-words.ts';

type Options = { shop: string; month: string; out?: string; force?: true; now?: true; mail?: true; json?: true };
type Request = MonthKey & { now: boolean };
type Ready = Exclude<Generation, { kind: 'waiting' }>;
type Made = Extract<Generation, { kind: 'generated' }>;

/** How often it is looked whether a replacement has come. */
const LOOK_MS = 5_000;

/** `orderbridge service audit generate` */
export function auditGenerateCommand(context: CliContext): Command {
  return new Command('generate')
    .summary('make the audit file of a month')
    .description(
      'Makes the next version of a month’s audit file and keeps it, with its CSV and summary. Earlier versions stay. If an order of the month was just ' +
        'deleted, it waits for what may replace it (REPLACEMENT_WAIT_MINUTES). Exit code 1 if there is no new version; then it is said why and what to do.',
    )
    .requiredOption('--shop <id>', 'id of the shop')
    .requiredOption('--month <month>', 'the month, such as 2026-10', month)
    .option('--out <file>', 'also write the XML to this file, such as october.xml, and october.csv and october.html beside it')
    .option('--force', 'overwrite these files if they are there')
    .option('--now', 'don’t wait for replacements')
    .option('--mail', 'mail it to the shop and its recipients, as on the shop’s day; also that there is none, and why')
    .option('--json', 'print JSON: kind (generated, blocked, empty, …), and by kind file, files, mailed, errors, missingRates')
    .action((options: Options) => withService(context, ({ service }) => generate(context, service.audit, options)));
}

async function generate(context: CliContext, deps: AuditDeps, options: Options): Promise<void> {
  const key = { shopId: (await knownShop(deps, options.shop)).id, month: options.month };
  await using files = options.out === undefined ? null : await MonthFiles.open(context, { out: options.out, force: options.force === true });
  const generation = await whenReady(context, deps, { ...key, now: options.now === true });
  const mailed = options.mail === true && (await queueMailOf(deps.pool, { ...key, now: deps.now(), generation }));
  if (options.mail) note(context, mailWords(generation, mailed));
  if (generation.kind !== 'generated') return refuse(context, generation, { key, json: options.json === true });
  if (files !== null) await write(deps, files, { key, file: generation.file });
  if (options.json) printJson(context, { kind: generation.kind, file: generation.file, files: files?.names ?? null, mailed });
  else printLines(context, [...generatedText(key, generation, files), '', nextStepText(key, sofiaDay(deps.now().toISOString()))]);
}

async function whenReady(context: CliContext, deps: AuditDeps, request: Request): Promise<Ready> {
  const { signal } = context;
  let told = '';
  for (;;) {
    const generation = await withProgressBar(context, 'orders', (onProgress) =>
      generateMonth(deps, {
        ...request,
        onProgress(done, all) {
          if (signal.aborted) throw interrupted();
          onProgress(done, all);
        },
      }),
    );
    if (generation.kind !== 'waiting') return generation;
    const { until } = generation;
    if (until !== told) note(context, waitWords(request, until));
    told = until;
    const left = Date.parse(until) - deps.now().getTime();
    await sleep(Math.min(LOOK_MS, Math.max(left, 1)), undefined, { signal }).catch((thrown: unknown) =>
      Promise.reject(signal.aborted ? interrupted() : thrown),
    );
  }
}

function waitWords({ month: of }: MonthKey, until: string): string {
  return `An order that the file of ${of} is about was just deleted, and what replaces it may be on its way: waiting until ${until}. With --now it does not wait.`;
}

function interrupted(): CliError {
  return new CliError('interrupted; no file was made');
}

function mailWords({ kind }: Ready, mailed: boolean): string {
  if (mailed) return 'The mail stands in the outbox; a running server sends it. `orderbridge service mails list` shows what becomes of it.';
  return kind === 'blocked' || kind === 'empty' ? 'Nothing is mailed: the same was mailed before.' : 'Nothing is mailed: there is nothing new to tell.';
}

function refuse(context: CliContext, refused: Exclude<Ready, Made>, { key, json }: { key: MonthKey; json: boolean }): never {
  const blocked = refused.kind === 'blocked' ? { errors: refused.errors, missingRates: refused.missingRates } : null;
  if (json) printJson(context, { kind: refused.kind, ...blocked });
  else if (blocked !== null) printLines(context, blockedText(blocked));
  throw new CliError(refusalWords(refused, key));
}

async function write(deps: AuditDeps, files: MonthFiles, { key, file }: { key: MonthKey; file: Made['file'] }): Promise<void> {
  try {
    const stored = await readVersionById(deps.pool, file.id);
    if (stored === null) throw new CliError('the shop was deleted meanwhile');
    await files.write(deps, stored);
  } catch (thrown) {
    throw new CliError(`${errorWords(thrown)}; version ${file.version} is kept all the same, ${auditCommandLine('show', key)} prints it with --xml`);
  }
}

function generatedText(key: MonthKey, { file, summary }: Made, files: MonthFiles | null): string[] {
  const { leftOut, currency } = summary;
  const left = `Left out, as the shop’s auditNoReceiptOrders says: orders without a receipt, ${leftOut.orders} of them (${leftOut.total} ${currency}).`;
  return [
    `The audit file of ${key.month} is made.`,
    '',
    ...versionText(file, currency),
    ...(leftOut.orders === 0 ? [] : ['', left]),
    ...(files === null ? [] : ['', `Written: ${Object.values(files.names).join(', ')}`]),
  ];
}
