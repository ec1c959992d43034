import { Readable } from 'node:stream';
import { Command } from 'commander';
import type { Core } from '../../../app/core.ts';
import { decimalsOf } from '../../../contract/money.ts';
import { issueReceiptOf, receiptsOf, showReceipt } from '../../../operations/service/receipts.ts';
import type { ShopList } from '../../../operations/service/recorded-orders.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { note, printJson, printLines } from '../../../platform/terminal/print.ts';
import { textFields } from '../../../platform/terminal/text-table.ts';
import type { ReceiptDto } from '../../../service/receipts/receipt-dto.ts';
import { cliActor } from '../../actor.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { NewFile } from '../../output/new-file.ts';
import { printContent } from '../../output/print-content.ts';
import { printTable, type WordedTable } from '../../output/print-table.ts';
import { withService } from '../../with-core.ts';
import { wordsFor } from '../../words/words.ts';

type ListOptions = ShopList & { json?: true };
type ShowOptions = { id: string; html?: true; out?: string; force?: true; json?: true };
type IssueOptions = { orderId: string; json?: true };

/** `orderbridge service receipts` */
export function receiptsCommand(context: CliContext): Command {
  const receipts = new Command('receipts').summary('list, show and issue receipts').description('Lists, shows and issues the digital receipts of orders.');
  receipts
    .command('list')
    .summary('list the receipts of a shop')
    .description('Lists the receipts of a shop, oldest first.')
    .requiredOption('--shop <id>', 'id of the shop')
    .option('--month <month>', 'only those of orders that the audit file of this month lists, such as 2026-10', month)
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of receipts')
    .action((options: ListOptions) => withService(context, ({ core }) => list(context, core, options)));
  receipts
    .command('show')
    .argument('<id>', 'id of the receipt')
    .summary('show a receipt')
    .description('Shows a receipt; the document itself, as the buyer gets it, is an HTML page.')
    .option('--html', 'print the document')
    .option('--out <file>', 'write the document to this file')
    .option('--force', 'overwrite the file if it is there')
    .option('--json', 'print JSON')
    .action((id: string, options: Omit<ShowOptions, 'id'>) => withService(context, ({ core }) => show(context, core, { id, ...options })));
  receipts
    .command('issue')
    .argument('<order-id>', 'id of the order at the compliance service')
    .summary('issue the receipt of an order')
    .description('Issues the receipt of an order and mails it to the buyer, if there is an address. Run again, it shows the receipt and mails nothing.')
    .option('--json', 'print JSON')
    .action((orderId: string, options: { json?: true }) => withService(context, ({ core }) => issue(context, core, { orderId, ...options })));
  return receipts;
}

async function list(context: CliContext, core: Core, { json, ...wanted }: ListOptions): Promise<void> {
  const { receipts, more } = await receiptsOf(core, wanted);
  const { receipts: say } = wordsFor(context).service;
  if (json) printJson(context, receipts);
  else if (receipts.length === 0) printLines(context, [say.none]);
  else printTable(context, receiptsTable(receipts));
  if (more) note(context, say.more(wanted.limit));
}

function receiptsTable(receipts: readonly ReceiptDto[]): WordedTable {
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

async function show(context: CliContext, core: Core, { id, html, out, force, json }: ShowOptions): Promise<void> {
  const { dto, html: page } = await showReceipt(core, id);
  if (out !== undefined) await writeDocument(context, page, { file: out, force: force === true });
  if (json) printJson(context, dto);
  else if (html) await printContent(context, Readable.from([page]));
  else printLines(context, receiptText(dto, context));
}

async function writeDocument(context: CliContext, html: string, wanted: { file: string; force: boolean }): Promise<void> {
  await using file = await NewFile.open(context, wanted);
  await file.write([Buffer.from(html)]);
  await file.publish();
  note(context, wordsFor(context).service.receipts.written(wanted.file));
}

function receiptText(receipt: ReceiptDto, context: CliContext): string[] {
  const { receipts: say, orders } = wordsFor(context).service;
  const { fields } = orders;
  const { id, orderId, shopId, documentNumber, documentDate, edition, issuedAt, emailed } = receipt;
  return textFields([
    [fields.id, id],
    [fields.order, orderId],
    [fields.shop, shopId],
    [fields.document, orders.document(documentNumber, documentDate, edition)],
    [fields.total, totalOf(receipt)],
    [fields.issued, localTime(issuedAt)],
    [fields.eMail, say.emailed[emailed]],
  ]);
}

async function issue(context: CliContext, core: Core, { orderId, json }: IssueOptions): Promise<void> {
  const receipt = await issueReceiptOf(core, { orderId, by: cliActor() });
  if (json) printJson(context, receipt);
  else printLines(context, receiptText(receipt, context));
}
