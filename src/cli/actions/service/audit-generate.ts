import { askStores } from '../../../operations/months/ask-stores.ts';
import { type MadeMonth, mailMonth, makeMonth } from '../../../operations/months/make-month.ts';
import { outstandingOf } from '../../../operations/months/outstanding-of.ts';
import { madeVersion } from '../../../operations/months/version-content.ts';
import { knownShop } from '../../../operations/service/known-shop.ts';
import { errorWords } from '../../../platform/error-words.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../../platform/terminal/print.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../../service/audit/month/month-key.ts';
import { sofiaDay } from '../../../service/law/sofia-day.ts';
import { cliActor } from '../../actor.ts';
import { MonthFiles } from '../../output/month-files.ts';
import { withProgressBar } from '../../output/progress-bar.ts';
import { auditCommandLine, blockedText, nextStepText, refusalWords, versionText } from '../../text/audit-words.ts';
import { outstandingText } from '../../text/outstanding-text.ts';
import type { Opened } from '../../with-core.ts';
import { type CliWords, en } from '../../words/en.ts';

export type Options = { shop: string; month: string; out?: string; force?: true; now?: true; mail?: true; json?: true };
type Made = Extract<MadeMonth, { kind: 'generated' }>;

export async function generate(context: CliContext, { core, service }: Opened, options: Options): Promise<void> {
  const deps = service.audit;
  const words = en;
  const key = { shopId: (await knownShop(deps, options.shop)).id, month: options.month };
  await using files = options.out === undefined ? null : await MonthFiles.open(context, { out: options.out, force: options.force === true });
  if (!options.now) await ask(context, { core, service }, key);
  const made = await make(context, deps, { ...key, now: options.now === true });
  const mailed = options.mail === true && (await mailMonth(deps, { ...key, by: cliActor() }, made));
  if (options.mail) note(context, mailWords(made, mailed, words.months.generate));
  if (made.kind !== 'generated') return refuse(context, made, { key, json: options.json === true });
  if (files !== null) await write(deps, files, { key, file: made.file, words });
  if (options.json) printJson(context, { kind: made.kind, file: made.file, files: files?.names ?? null, mailed });
  else printLines(context, [...generatedText(made, { key, files, words }), '', nextStepText(key, sofiaDay(deps.now().toISOString()), words.months)]);
  const left = await outstandingOf(deps, key);
  if (left !== undefined) note(context, words.months.generate.incomplete(outstandingText(left, words.months), left.at));
}

/** Paid orders that only the store knows would be missing in the file. */
async function ask(context: CliContext, { core, service }: Opened, key: MonthKey): Promise<void> {
  const { openStoreAsker } = await import('../../../app/store-asker.ts');
  await using asker = await openStoreAsker(core, service, key);
  if (asker === null) return;
  const { generate: say } = en.months;
  const onWaiting = (until: string) => note(context, say.reading(key.month, until));
  const why = await askStores(asker, { ...key, signal: context.signal, now: Date.now, onWaiting });
  if (why !== null) note(context, say.notAsked(key.month, why.en));
}

function make(context: CliContext, deps: AuditDeps, request: MonthKey & { now: boolean }): Promise<MadeMonth> {
  return withProgressBar(context, 'orders', (onProgress, clear) =>
    makeMonth(deps, {
      ...request,
      by: cliActor(),
      signal: context.signal,
      onProgress,
      onWaiting(until) {
        clear();
        note(context, en.months.generate.replacement(request.month, until));
      },
    }),
  );
}

function mailWords({ kind }: MadeMonth, mailed: boolean, say: CliWords['months']['generate']): string {
  if (mailed) return say.mailed;
  return kind === 'blocked' || kind === 'empty' ? say.sameMailed : say.nothingNew;
}

function refuse(context: CliContext, refused: Exclude<MadeMonth, Made>, { key, json }: { key: MonthKey; json: boolean }): never {
  const blocked = refused.kind === 'blocked' ? { errors: refused.errors, missingRates: refused.missingRates } : null;
  if (json) printJson(context, { kind: refused.kind, ...blocked });
  else if (blocked !== null) printLines(context, blockedText(blocked));
  throw new CliError(refusalWords(refused, key, en));
}

async function write(deps: AuditDeps, files: MonthFiles, { key, file, words }: { key: MonthKey; file: Made['file']; words: CliWords }): Promise<void> {
  try {
    await files.write(deps, await madeVersion(deps, file.id));
  } catch (thrown) {
    throw new CliError(words.months.generate.keptAnyway(errorWords(thrown), file.version, auditCommandLine('show', key)));
  }
}

type Around = { key: MonthKey; files: MonthFiles | null; words: CliWords };

function generatedText({ file, summary }: Made, { key, files, words }: Around): string[] {
  const { generate: say } = words.months;
  const { leftOut, currency } = summary;
  return [
    say.made(key.month),
    '',
    ...versionText(file, currency, words),
    ...(leftOut.orders === 0 ? [] : ['', say.leftOut(leftOut.orders, `${leftOut.total} ${currency}`)]),
    ...(files === null ? [] : ['', say.written(Object.values(files.names).join(', '))]),
  ];
}
