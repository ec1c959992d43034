import type { Core } from '../../../app/core.ts';
import { type MailsWanted, mailsOf, retryFailedMail } from '../../../operations/service/receipts.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import type { ListedMail } from '../../../service/mail/shop-mails.ts';
import { cliActor } from '../../actor.ts';

export type ListOptions = MailsWanted & { json?: true };

export async function list(context: CliContext, core: Core, { json, ...wanted }: ListOptions): Promise<void> {
  const { mails, more } = await mailsOf(core, wanted);
  if (json) printJson(context, mails);
  else if (mails.length === 0) printLines(context, ['No mail found.']);
  else printTable(context, mailsTable(mails));
  if (more) note(context, `Only the newest ${wanted.limit} are shown; narrow the list with --shop or --state, or raise --limit.`);
}

function mailsTable(mails: readonly ListedMail[]): PrintedTable {
  return {
    header: ['kind', 'state', 'when', 'tries', 'last error', 'made', 'shop', 'id'],
    rows: mails.map(({ id, kind, shopId, createdAt, state, attempts, nextAt, sentAt, failedAt, lastError }) => [
      kind,
      state,
      localOrNone(sentAt ?? failedAt ?? nextAt),
      String(attempts),
      lastError,
      localTime(createdAt),
      shopId,
      id,
    ]),
    give: ['shop', 'made', 'tries', 'last error'],
    keep: ['id', 'state', 'when'],
  };
}

function localOrNone(at: string | null): string | null {
  return at === null ? null : localTime(at);
}

export async function retry(context: CliContext, core: Core, id: string): Promise<void> {
  await retryFailedMail(core, { id, by: cliActor() });
  printLines(context, [`The mail ${id} is due again; a running server sends it.`]);
}
