import { Command } from 'commander';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printLines } from '../../../platform/terminal/print.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../../service/audit/month/month-key.ts';
import { type Marked, markFiled, markRejected, type Outdated, readMonthState } from '../../../service/audit/month/month-state.ts';
import { readVersion } from '../../../service/audit/month/read-versions.ts';
import { CORRECTION_DAYS } from '../../../service/law/correction-term.ts';
import { deadlineOf } from '../../../service/law/deadlines.ts';
import { sofiaDay } from '../../../service/law/sofia-day.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { knownShop } from '../../service/known-shop.ts';
import { withService } from '../../service/with-service.ts';
import { noVersionWords } from '../../text/audit-versions-text.ts';
import { auditCommandLine } from '../../text/audit-words.ts';

type Options = { shop: string; month: string; version?: number; asIs?: true };

/** `orderbridge service audit mark-filed` */
export function auditMarkFiledCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-filed').summary('say that the audit file of a month is filed'))
    .description(
      'Says that a person has filed a version of a month’s audit file in the agency’s portal. The month is closed by it: whatever of it is deleted from ' +
        'then on becomes a return in a later file, and no other version is made unless it is marked as rejected.',
    )
    .option('--version <n>', 'which version was filed; without it, the last one', wholeNumber)
    .option('--as-is', 'also if it does not tell the last changes: what the agency has is what counts, and the changes go into later files')
    .action((options: Options) => withService(context, ({ service }) => fileMonth(context, service.audit, options)));
}

/** `orderbridge service audit mark-rejected` */
export function auditMarkRejectedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-rejected').summary('say that the agency found errors in the file of a month'))
    .description('Says that the agency found errors in the file that was filed, so that another version can be made.')
    .action((options: Options) => withService(context, ({ service }) => rejectMonth(context, service.audit, options)));
}

function ofMonth(command: Command): Command {
  return command.requiredOption('--shop <id>', 'id of the shop').requiredOption('--month <month>', 'the month, such as 2026-10', month);
}

async function fileMonth(context: CliContext, deps: AuditDeps, { shop, month: of, version: named, asIs }: Options): Promise<void> {
  const key = { shopId: (await knownShop(deps, shop)).id, month: of };
  const marked = await markFiled(deps.pool, { ...key, version: named ?? null, now: deps.now(), asIs: asIs === true });
  if (!marked.ok) throw new CliError(await refusalWords(deps, key, marked));
  printLines(context, [
    `Version ${marked.version} of the file of ${of} is marked as filed.`,
    `The month is closed: an order of it that is deleted from now on becomes a return in the file of the month in which it is deleted.`,
    `If the agency finds errors in the file: ${auditCommandLine('mark-rejected', key)}`,
  ]);
  const last = await readVersion(deps.pool, key);
  if (last !== null && last.version > marked.version) {
    const again = `If another version is to be filed in its place: ${auditCommandLine('mark-rejected', key)}`;
    note(context, `Warning: version ${marked.version} is not the last one, which is ${last.version}. ${again}`);
  }
}

async function refusalWords(deps: AuditDeps, key: MonthKey, refused: Extract<Marked, { ok: false }>): Promise<string> {
  if (refused.why === 'no-file') return noVersionWords(key, await readVersion(deps.pool, key));
  return refused.why === 'outdated' ? outdatedWords(key, refused) : filedWords(deps, key);
}

function outdatedWords(key: MonthKey, { version, changes }: Outdated): string {
  const what = `version ${version} does not tell ${changes} ${changes === 1 ? 'change' : 'changes'} of the month since it was made (${auditCommandLine('show', key)})`;
  const again = `make another with ${auditCommandLine('generate', key)} and file that, until ${deadlineOf(key.month)}`;
  return `${what}; ${again}. If version ${version} is what the agency has and must stay, add --as-is: the changes then go into later files`;
}

async function filedWords({ pool }: AuditDeps, key: MonthKey): Promise<string> {
  const { filedVersion, filedAt } = await readMonthState(pool, key);
  const words = `version ${filedVersion} of the file of ${key.month} was marked as filed on ${filedAt === null ? 'an unknown day' : sofiaDay(filedAt)}`;
  return `${words}; if that was a mistake, or the agency found errors in it, ${auditCommandLine('mark-rejected', key)} takes it back`;
}

async function rejectMonth(context: CliContext, deps: AuditDeps, { shop, month: of }: Options): Promise<void> {
  const key = { shopId: (await knownShop(deps, shop)).id, month: of };
  const marked = await markRejected(deps.pool, key);
  if (!marked.ok) throw new CliError(marked.why === 'too-late' ? tooLateWords(key) : await notFiledWords(deps, key));
  const deadline = deadlineOf(of);
  const inTerm = sofiaDay(deps.now().toISOString()) <= deadline;
  printLines(context, [
    `Version ${marked.version} of the file of ${of} is marked as rejected.`,
    inTerm
      ? `The month is open again until ${deadline}: what is deleted leaves its file.`
      : `Its term has ended on ${deadline}, so the month stays closed: what is deleted stays in its file and becomes a return.`,
    `Correct what the agency names, then ${auditCommandLine('generate', key)}; file it within ${CORRECTION_DAYS} days of the agency’s message.`,
  ]);
}

function tooLateWords({ month: of }: MonthKey): string {
  return `orders of ${of} that were deleted since are no longer kept, so its file can’t be made again; correct the file that was filed by hand (\`orderbridge service audit show --xml\`), with the accountant`;
}

async function notFiledWords({ pool }: AuditDeps, key: MonthKey): Promise<string> {
  const { state } = await readMonthState(pool, key);
  const words = `the file of ${key.month} is not marked as filed (the month is ${state}), so it can’t be rejected`;
  return state === 'rejected' ? `the file of ${key.month} is marked as rejected already; make the next one with ${auditCommandLine('generate', key)}` : words;
}
