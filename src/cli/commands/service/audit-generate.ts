import { Command } from 'commander';
import type { MadeMonth } from '../../../operations/months/make-month.ts';
import type { MonthFormat } from '../../../operations/months/versions.ts';
import { errorWords } from '../../../platform/error-words.ts';
import { type CliContext, CliError, cliActor } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../../platform/terminal/print.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../../service/audit/month/month-state.ts';
import type { StoredVersion } from '../../../service/audit/month/read-versions.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { sofiaDay } from '../../../service/law/calendar.ts';
import { ofMonth } from '../../input/arguments.ts';
import { goesWith, whyOption } from '../../input/shared-options.ts';
import { NewFile } from '../../output/new-file.ts';
import { withProgressBar } from '../../output/progress-bar.ts';
import { actRefusalWords, auditCommandLine, blockedText, nextStepText, outstandingText, refusalWords, versionText } from '../../text/audit-text.ts';
import { type CoreAndService, withService } from '../../with-core.ts';

export function auditGenerateCommand(context: CliContext): Command {
  return ofMonth(new Command('generate').summary('make the audit file of a month'))
    .description(
      'Makes the next version of a month’s audit file and keeps it, with its CSV and summary. Earlier versions stay. Stores of the shop that can be read ' +
        'are read for the month first, or it says why not. If an order of the month was just deleted, it waits for its replacement (REPLACEMENT_WAIT_MINUTES). Exit code 1 if there is no new version; then it prints why and what to do.',
    )
    .option('--out <file>', 'also write the XML to this file, such as october.xml, and october.csv and october.html beside it')
    .option('--force', 'overwrite these files if they are there')
    .option('--now', 'don’t wait, neither for the store nor for replacements')
    .option('--mail', 'mail it to the shop and its recipients, as on the shop’s day; if there is no file, the reason')
    .option('--json', 'print JSON: kind (generated, blocked, empty, …), and by kind file, files, mailed, errors, missingRates')
    .action((options: AuditGenerateOptions) => {
      if (options.out === undefined) goesWith('--out', { '--force': options.force });
      return withService(context, (opened) => generate(context, opened, options));
    });
}

export function auditMailCommand(context: CliContext): Command {
  return ofMonth(new Command('mail').summary('mail the audit file of a month'))
    .description(
      'Mails the last version of a month’s audit file to the shop and its recipients, with the link to the month’s page; also if it was mailed before. A ' +
        'link that has expired is made anew.',
    )
    .addOption(whyOption())
    .action((options: AuditMailOptions) => withService(context, ({ service }) => mail(context, service, options)));
}

type AuditGenerateOptions = { shop: string; month: string; out?: string; force?: true; now?: true; mail?: true; json?: true };

type Made = Extract<MadeMonth, { kind: 'generated' }>;

async function generate(context: CliContext, { core, service }: CoreAndService, options: AuditGenerateOptions): Promise<void> {
  const { mailMonth } = await import('../../../operations/months/make-month.ts');
  const { outstandingOf } = await import('../../../operations/months/outstanding.ts');
  const { knownShop } = await import('../../../operations/service/shops.ts');
  const deps = service.audit;
  const key = { shopId: (await knownShop(deps, options.shop)).id, month: options.month };
  await using files = options.out === undefined ? null : await MonthFiles.open(context, { out: options.out, force: options.force === true });
  if (!options.now) await ask(context, { core, service }, key);
  const made = await make(context, deps, { ...key, now: options.now === true });
  const mailed = options.mail === true && (await mailMonth(deps, { ...key, by: cliActor() }, made));
  if (options.mail) note(context, mailWords(made, mailed));
  // Awaited, as the folder is closed meanwhile.
  if (made.kind !== 'generated') return await refuse(context, made, { key, json: options.json === true });
  if (files !== null) await write(deps, files, { key, file: made.file });
  if (options.json) printJson(context, { kind: made.kind, file: made.file, files: files?.names ?? null, mailed });
  else printLines(context, [...generatedText(made, { key, files }), '', nextStepText(key, sofiaDay(deps.now().toISOString()))]);
  const left = await outstandingOf(deps, key);
  if (left !== undefined)
    note(
      context,
      `Warning: the file is incomplete: ${outstandingText(left)} of the month are not recorded (as of ${left.at}). \`orderbridge review\` says what to do.`,
    );
}

/** Paid orders that only the store knows would be missing in the file. */
async function ask(context: CliContext, { core, service }: CoreAndService, key: MonthKey): Promise<void> {
  const { askStores } = await import('../../../operations/months/make-month.ts');
  const { openStoreAsker } = await import('../../../app/store-asker.ts');
  await using asker = await openStoreAsker(core, service, key);
  if (asker === null) return;
  const onWaiting = (until: string) => note(context, `The store is read for ${key.month}: waiting until ${until} at most. With --now it does not wait.`);
  const why = await askStores(asker, { ...key, signal: context.signal, now: Date.now, onWaiting });
  if (why !== null)
    note(
      context,
      `Warning: the store was not read for all of ${key.month} (${why.en}). \`orderbridge reconcile --month ${key.month}\` reads it; then make the file again.`,
    );
}

async function make(context: CliContext, deps: AuditDeps, request: MonthKey & { now: boolean }): Promise<MadeMonth> {
  const { makeMonth } = await import('../../../operations/months/make-month.ts');
  return withProgressBar(context, 'orders', (onProgress, clear) =>
    makeMonth(deps, {
      ...request,
      by: cliActor(),
      signal: context.signal,
      onProgress,
      onWaiting(until) {
        clear();
        note(
          context,
          `An order that the file of ${request.month} is about was just deleted, and its replacement may be on its way: waiting until ${until}. With --now it does not wait.`,
        );
      },
    }),
  );
}

function mailWords({ kind }: MadeMonth, mailed: boolean): string {
  if (mailed) return 'The mail is in the outbox; a running server sends it. `orderbridge service mails list` shows its state.';
  return kind === 'blocked' || kind === 'empty' ? 'Nothing is mailed: the same was mailed before.' : 'Nothing is mailed: there is nothing new to report.';
}

async function refuse(context: CliContext, refused: Exclude<MadeMonth, Made>, { key, json }: { key: MonthKey; json: boolean }): Promise<never> {
  const blocked = refused.kind === 'blocked' ? { errors: refused.errors, missingRates: refused.missingRates } : null;
  if (json) printJson(context, { kind: refused.kind, ...blocked });
  else if (blocked !== null) printLines(context, blockedText(blocked));
  throw new CliError(await refusalWords(refused, key));
}

async function write(deps: AuditDeps, files: MonthFiles, { key, file }: { key: MonthKey; file: Made['file'] }): Promise<void> {
  const { madeVersion } = await import('../../../operations/months/versions.ts');
  try {
    await files.write(deps, await madeVersion(deps, file.id));
  } catch (thrown) {
    throw new CliError(`${errorWords(thrown)}; version ${file.version} is kept all the same, ${auditCommandLine('show', key)} prints it with --xml`);
  }
}

function generatedText({ file, summary }: Made, { key, files }: { key: MonthKey; files: MonthFiles | null }): string[] {
  const { leftOut, currency } = summary;
  return [
    `The audit file of ${key.month} is made.`,
    '',
    ...versionText(file, currency),
    ...(leftOut.orders === 0
      ? []
      : ['', `Left out, as the shop’s auditNoReceiptOrders says: orders without a receipt, ${leftOut.orders} of them (${leftOut.total} ${currency}).`]),
    ...(files === null ? [] : ['', `Written: ${Object.values(files.names).join(', ')}`]),
  ];
}

type MonthFileNames = Record<Exclude<MonthFormat, 'bookkeeping' | 'page'>, string>;

/** The XML goes into `out`, CSV and page beside it: october.xml, october.csv, october.html. */
function monthFileNames(out: string): MonthFileNames {
  const stem = out.replace(/\.xml$/i, '');
  return { xml: out, csv: `${stem}.csv`, html: `${stem}.html` };
}

/** The three files of a month; none is visible before all are written. */
class MonthFiles implements AsyncDisposable {
  readonly names: MonthFileNames;
  readonly #files: [MonthFormat, NewFile][];
  readonly #owned: AsyncDisposableStack;

  private constructor(names: MonthFileNames, files: [MonthFormat, NewFile][], owned: AsyncDisposableStack) {
    this.names = names;
    this.#files = files;
    this.#owned = owned;
  }

  static async open(context: Pick<CliContext, 'cwd'>, { out, force }: { out: string; force: boolean }): Promise<MonthFiles> {
    await using owned = new AsyncDisposableStack();
    const names = monthFileNames(out);
    const files: [MonthFormat, NewFile][] = [];
    for (const format of ['xml', 'csv', 'html'] as const) files.push([format, owned.use(await NewFile.open(context, { file: names[format], force }))]);
    return new MonthFiles(names, files, owned.move());
  }

  async write(deps: AuditDeps, version: StoredVersion): Promise<void> {
    const { versionContent } = await import('../../../operations/months/versions.ts');
    for (const [format, file] of this.#files) await file.write(await versionContent(deps, version, format));
    for (const [, file] of this.#files) await file.publish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}

type AuditMailOptions = { shop: string; month: string; why?: string };

async function mail(context: CliContext, { audit, months }: ComplianceService, { shop, month: of, why }: AuditMailOptions): Promise<void> {
  const { knownShop } = await import('../../../operations/service/shops.ts');
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const mailed = await months.mailed({ ...key, said: { by: cliActor(), why } });
  if (!mailed.ok) throw new CliError(await actRefusalWords(mailed, key));
  printLines(context, [
    `Version ${mailed.version} of the file of ${of} is in the outbox; a running server sends it. \`orderbridge service mails list\` shows its state.`,
  ]);
}
