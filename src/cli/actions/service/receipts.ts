import { Readable } from 'node:stream';
import type { Core } from '../../../app/core.ts';
import { decimalsOf } from '../../../contract/money.ts';
import { issueReceiptOf, receiptsOf, showReceipt } from '../../../operations/service/receipts.ts';
import type { ShopList } from '../../../operations/service/recorded-orders.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import { textFields } from '../../../platform/terminal/text-table.ts';
import type { ReceiptDto } from '../../../service/receipts/read-receipts.ts';
import { cliActor } from '../../actor.ts';
import { NewFile } from '../../output/new-file.ts';
import { printContent } from '../../output/print-content.ts';
import { documentText } from '../../text/recorded-order-text.ts';

export type ListOptions = ShopList & { json?: true };
export type ShowOptions = { id: string; html?: true; out?: string; force?: true; json?: true };
type IssueOptions = { orderId: string; json?: true };

export async function list(context: CliContext, core: Core, { json, ...wanted }: ListOptions): Promise<void> {
  const { receipts, more } = await receiptsOf(core, wanted);
  if (json) printJson(context, receipts);
  else if (receipts.length === 0) printLines(context, ['No receipt found.']);
  else printTable(context, receiptsTable(receipts));
  if (more) note(context, `There are more than ${wanted.limit} receipts; narrow the list with --month, or raise --limit.`);
}

function receiptsTable(receipts: readonly ReceiptDto[]): PrintedTable {
  return {
    header: ['document', 'of', 'edition', 'total', 'issued', 'e-mail', 'order', 'id'],
    rows: receipts.map((receipt) => [
      receipt.documentNumber,
      receipt.documentDate,
      String(receipt.edition),
      totalOf(receipt),
      localTime(receipt.issuedAt),
      receipt.emailed,
      receipt.orderId,
      receipt.id,
    ]),
    give: ['order', 'edition', 'of', 'issued'],
    keep: ['id', 'document'],
  };
}

function totalOf({ total, currency }: ReceiptDto): string {
  return `${total.toFixed(decimalsOf(currency))} ${currency}`;
}

export async function show(context: CliContext, core: Core, { id, html, out, force, json }: ShowOptions): Promise<void> {
  const { dto, html: page } = await showReceipt(core, id);
  if (out !== undefined) await writeDocument(context, page, { file: out, force: force === true });
  if (json) printJson(context, dto);
  else if (html) await printContent(context, Readable.from([page]));
  else printLines(context, receiptText(dto));
}

async function writeDocument(context: CliContext, html: string, wanted: { file: string; force: boolean }): Promise<void> {
  await using file = await NewFile.open(context, wanted);
  await file.write([Buffer.from(html)]);
  await file.publish();
  note(context, `The document is in ${wanted.file}.`);
}

const MAILED: Readonly<Record<ReceiptDto['emailed'], string>> = {
  'no-address': 'not mailed: the buyer has no usable e-mail address',
  queued: 'waits to be mailed; a running server does it',
  sent: 'mailed to the buyer',
  failed: 'could not be mailed; `orderbridge service mails list --state failed` says why',
};

function receiptText(receipt: ReceiptDto): string[] {
  const { id, orderId, shopId, issuedAt, emailed } = receipt;
  return textFields([
    ['id', id],
    ['order', orderId],
    ['shop', shopId],
    ['document', documentText(receipt)],
    ['total', totalOf(receipt)],
    ['issued', localTime(issuedAt)],
    ['e-mail', MAILED[emailed]],
  ]);
}

export async function issue(context: CliContext, core: Core, { orderId, json }: IssueOptions): Promise<void> {
  const receipt = await issueReceiptOf(core, { orderId, by: cliActor() });
  if (json) printJson(context, receipt);
  else printLines(context, receiptText(receipt));
}
