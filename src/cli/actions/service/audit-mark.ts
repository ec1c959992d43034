import { knownShop } from '../../../operations/service/known-shop.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printLines } from '../../../platform/terminal/print.ts';
import type { Incomplete, MarkedNothing, Outdated } from '../../../service/audit/month/mark-month.ts';
import type { NotFiled, NotRejected } from '../../../service/audit/month/month-acts.ts';
import type { MonthKey } from '../../../service/audit/month/month-key.ts';
import { headerWords } from '../../../service/audit/month/shop-header.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { CORRECTION_DAYS } from '../../../service/law/correction-term.ts';
import { deadlineOf } from '../../../service/law/deadlines.ts';
import { sofiaDay } from '../../../service/law/sofia-day.ts';
import { cliActor } from '../../actor.ts';
import { noVersionWords } from '../../text/audit-versions-text.ts';
import { auditCommandLine } from '../../text/audit-words.ts';
import { outstandingText } from '../../text/outstanding-text.ts';
import { type CliWords, en } from '../../words/en.ts';

export type Options = { shop: string; month: string; why?: string };
export type Filing = Options & { version?: number; incomingNumber?: string; filedOn?: string; asIs?: true; withoutOutstanding?: true };

export async function markFiled(context: CliContext, { audit, months }: ComplianceService, options: Filing): Promise<void> {
  const { shop, month: of, version: named, incomingNumber, filedOn, asIs, withoutOutstanding, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const anyway = { asIs: asIs === true, withoutOutstanding: withoutOutstanding === true };
  const filed = await months.filed({ ...key, version: named ?? null, incomingNumber, filedOn, ...anyway, said: { by: cliActor(), why } });
  const words = en.months;
  if (!filed.ok) throw new CliError(notFiledWords(key, filed, words));
  const { version, later, without } = filed;
  const { filed: say } = words;
  printLines(context, [
    ...(without === undefined ? [] : [say.without(outstandingText(without, words), without.orders)]),
    say.done(version, of),
    say.closed,
    say.ifErrors(auditCommandLine('mark-rejected', key)),
  ]);
  if (later !== null) note(context, say.notLast(version, later, auditCommandLine('mark-rejected', key)));
}

function notFiledWords(key: MonthKey, refused: NotFiled, words: CliWords['months']): string {
  const { filed: say } = words;
  switch (refused.why) {
    case 'no-file':
      return refused.isEmpty && refused.last === null
        ? say.empty(key.month, auditCommandLine('nothing-to-file', key))
        : noVersionWords(key, refused.last, words);
    case 'wrong-day':
      return say.wrongDay(refused.first, refused.last);
    case 'outstanding':
      return incompleteWords(key, refused, words);
    case 'outdated':
      return outdatedWords(key, refused, say);
    case 'already':
      return filedWords(key, refused, say);
  }
}

function incompleteWords(key: MonthKey, { outstanding }: Incomplete, words: CliWords['months']): string {
  const { orders, at } = outstanding;
  const left = outstandingText(outstanding, words);
  return words.filed.incomplete({ left, orders, at, month: key.month, command: auditCommandLine('generate', key) });
}

type Say = CliWords['months']['filed'];

function outdatedWords(key: MonthKey, { version, changes, header }: Outdated, say: Say): string {
  const commands = { show: auditCommandLine('show', key), generate: auditCommandLine('generate', key) };
  return say.outdated({ version, lacks: changes, header: headerWords(header), ...commands, until: deadlineOf(key.month) });
}

function filedWords(key: MonthKey, { filedVersion, filedAt }: Extract<NotFiled, { why: 'already' }>, say: Say): string {
  const day = filedAt === null ? null : sofiaDay(filedAt);
  return say.already({ version: filedVersion, month: key.month, day, command: auditCommandLine('mark-rejected', key) });
}

export async function markRejected(context: CliContext, { audit, months }: ComplianceService, options: Options & { words?: string }): Promise<void> {
  const { shop, month: of, words = null, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const rejected = await months.rejected({ ...key, words, said: { by: cliActor(), why } });
  if (!rejected.ok) throw new CliError(notRejectedWords(key, rejected));
  const { version, deadline, inTerm } = rejected;
  const { rejected: say } = en.months;
  const next = say.next(auditCommandLine('generate', key), CORRECTION_DAYS);
  printLines(context, [say.done(version, of), inTerm ? say.open(deadline) : say.closed(deadline), next]);
}

function notRejectedWords(key: MonthKey, refused: NotRejected): string {
  const { month: of } = key;
  const { rejected: say } = en.months;
  if (refused.why === 'too-late') return say.tooLate(of);
  const { state } = refused;
  return state === 'rejected' ? say.already(of, auditCommandLine('generate', key)) : say.notFiled(of, state);
}

export type Nothing = Options & { note: string; withReturns?: true };

export async function markNothing(context: CliContext, { audit, months }: ComplianceService, options: Nothing): Promise<void> {
  const { shop, month: of, note: words, withReturns = false, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const marked = await months.nothingToFile({ ...key, note: words, withReturns, said: { by: cliActor(), why } });
  const { months: say } = en;
  if (!marked.ok) throw new CliError(notEmptyWords(key, marked, say));
  printLines(context, [say.nothing.done(of)]);
}

function notEmptyWords(key: MonthKey, unsettled: Extract<MarkedNothing, { ok: false }>, { nothing: say, refused }: CliWords['months']): string {
  const { month: of } = key;
  const { why } = unsettled;
  if (why === 'has-returns') return say.hasReturns(of, unsettled.returns);
  if (why === 'no-shop') return refused.noShop;
  if (why === 'not-ours') return refused.notOurs(of);
  if (why === 'not-ended') return say.notEnded(of);
  return why === 'has-file' ? say.hasFile(of, auditCommandLine('show', key)) : say.hasOrders(of, auditCommandLine('generate', key));
}
