import { Command } from 'commander';
import { changesSince } from '../../compliance/service/audit/changes-since.ts';
import type { AuditDeps } from '../../compliance/service/audit/generate-month.ts';
import { type MonthKey, markFiled, markRejected, readMonthState } from '../../compliance/service/audit/month-state.ts';
import { readVersion } from '../../compliance/service/audit/read-versions.ts';
import { CORRECTION_DAYS } from '../../domain/law/correction-term.ts';
import { deadlineOf } from '../../domain/law/deadlines.ts';
import { sofiaDay } from '../../domain/law/sofia-day.ts';
import { type CliContext, CliError } from '../context.ts';
import { note, printLines } from '../print.ts';
import { month, wholeNumber } from './arguments.ts';
import { noVersionWords } from './audit-versions-text.ts';
import { auditCommandLine } from './audit-words.ts';
import { knownShop } from './known-shop.ts';
import { withService } from './with-service.ts';

type Options = { shop: string; month: string; version?: number };

/** `orderbridge service audit mark-filed` */
export function auditMarkFiledCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-filed').summary('say that the audit file of a month is filed'))
    .description(
      'Says that a person has filed a version of a month’s audit file in the agency’s portal. The month is closed by it: whatever of it is deleted from ' +
        'then on becomes a return in a later file, and no other version is made unless it is marked as rejected.',
    )
    .option('--version <n>', 'which version was filed; without it, the last one', wholeNumber)
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

async function fileMonth(context: CliContext, deps: AuditDeps, { shop, month: of, version: named }: Options): Promise<void> {
  const key = { shopId: (await knownShop(deps, shop)).id, month: of };
  const marked = await markFiled(deps.pool, { ...key, version: named ?? null, now: deps.now() });
  if (!marked.ok) throw new CliError(marked.why === 'no-file' ? noVersionWords(key, await readVersion(deps.pool, key)) : await filedWords(deps, key));
  printLines(context, [
    `Version ${marked.version} of the file of ${of} is marked as filed.`,
    `The month is closed: an order of it that is deleted from now on becomes a return in the file of the month in which it is deleted.`,
    `If the agency finds errors in the file: ${auditCommandLine('mark-rejected', key)}`,
  ]);
  for (const words of await doubts(deps, key, marked.version)) note(context, `Warning: ${words}`);
}

async function filedWords({ pool }: AuditDeps, key: MonthKey): Promise<string> {
  const { filedVersion, filedAt } = await readMonthState(pool, key);
  const words = `version ${filedVersion} of the file of ${key.month} was marked as filed on ${filedAt === null ? 'an unknown day' : sofiaDay(filedAt)}`;
  return `${words}; if that was a mistake, or the agency found errors in it, ${auditCommandLine('mark-rejected', key)} takes it back`;
}

/** What makes it doubtful that the right version was filed. */
async function doubts({ pool }: AuditDeps, key: MonthKey, version: number): Promise<string[]> {
  const [last, filed] = [await readVersion(pool, key), await readVersion(pool, key, version)];
  const older = last !== null && last.version > version ? [`version ${version} is not the last one, which is ${last.version}.`] : [];
  const changed = filed === null ? 0 : (await changesSince(pool, filed)).count;
  const again = `If another version is to be filed in its place: ${auditCommandLine('mark-rejected', key)}`;
  const behind =
    changed === 0
      ? []
      : [
          `${changed} changed ${changed === 1 ? 'order' : 'orders'} since version ${version} was made, which it does not tell of: ${auditCommandLine('show', key)}.`,
        ];
  return older.length + behind.length === 0 ? [] : [...older, ...behind].map((words) => `${words} ${again}`);
}

async function rejectMonth(context: CliContext, deps: AuditDeps, { shop, month: of }: Options): Promise<void> {
  const key = { shopId: (await knownShop(deps, shop)).id, month: of };
  const marked = await markRejected(deps.pool, key);
  if (!marked.ok) throw new CliError(await notFiledWords(deps, key));
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

async function notFiledWords({ pool }: AuditDeps, key: MonthKey): Promise<string> {
  const { state } = await readMonthState(pool, key);
  const words = `the file of ${key.month} is not marked as filed (the month is ${state}), so it can’t be rejected`;
  return state === 'rejected' ? `the file of ${key.month} is marked as rejected already; make the next one with ${auditCommandLine('generate', key)}` : words;
}
