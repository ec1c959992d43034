import { Readable } from 'node:stream';
import { Command } from 'commander';
import type { Core } from '../../../app/core.ts';
import type { decimalsOf } from '../../../contract/money.ts';
import type { ShopList } from '../../../operations/service/recorded-orders.ts';
import { type CliContext, cliActor } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import { textFields } from '../../../platform/terminal/text-table.ts';
import type { ReceiptDto } from '../../../service/receipts/read-receipts.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { goesWith } from '../../input/shared-options.ts';
import { NewFile } from '../../output/new-file.ts';
import { printContent } from '../../output/print-content.ts';
import { withService } from '../../with-core.ts';

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
    .action((id: string, options: Omit<ShowOptions, 'id'>) => {
      if (options.out === undefined) goesWith('--out', { '--force': options.force });
      return withService(context, ({ core }) => show(context, core, { id, ...options }));
    });
  receipts
    .command('issue')
    .argument('<order-id>', 'id of the order at the compliance service')
    .summary('issue the receipt of an order')
    .description('Issues the receipt of an order and mails it to the buyer, if there is an address. Run again, it shows the receipt and mails nothing.')
    .option('--json', 'print JSON')
    .action((orderId: string, options: { json?: true }) => withService(context, ({ core }) => issue(context, core, { orderId, ...options })));
  return receipts;
}

type ListOptions = ShopList & { json?: true };

type ShowOptions = { id: string; html?: true; out?: string; force?: true; json?: true };

async function list(context: CliContext, core: Core, { json, ...wanted }: ListOptions): Promise<void> {
  const { receiptsOf } = await import('../../../operations/service/receipts.ts');
  const { receipts, more } = await receiptsOf(core, wanted);
  if (json) printJson(context, receipts);
  else if (receipts.length === 0) printLines(context, ['No receipt found.']);
  else printTable(context, receiptsTable(receipts, (await import('../../../contract/money.ts')).decimalsOf));
  if (more) note(context, `There are more than ${wanted.limit} receipts; narrow the list with --month, or raise --limit.`);
}

function receiptsTable(receipts: readonly ReceiptDto[], decimals: typeof decimalsOf): PrintedTable {
  return {
    header: ['document', 'of', 'edition', 'total', 'issued', 'e-mail', 'order', 'id'],
    rows: receipts.map((receipt) => [
      receipt.documentNumber,
      receipt.documentDate,
      String(receipt.edition),
      totalOf(receipt, decimals),
      localTime(receipt.issuedAt),
      receipt.emailed,
      receipt.orderId,
      receipt.id,
    ]),
    give: ['order', 'edition', 'of', 'issued'],
    keep: ['id', 'document'],
  };
}

function totalOf({ total, currency }: ReceiptDto, decimals: typeof decimalsOf): string {
  return `${total.toFixed(decimals(currency))} ${currency}`;
}

async function show(context: CliContext, core: Core, { id, html, out, force, json }: ShowOptions): Promise<void> {
  const { showReceipt } = await import('../../../operations/service/receipts.ts');
  const { dto, html: page } = await showReceipt(core, id);
  if (out !== undefined) await writeDocument(context, page, { file: out, force: force === true });
  if (json) printJson(context, dto);
  else if (html) await printContent(context, Readable.from([page]));
  else printLines(context, await receiptText(dto));
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

async function receiptText(receipt: ReceiptDto): Promise<string[]> {
  const { decimalsOf } = await import('../../../contract/money.ts');
  const { documentText } = await import('../../text/recorded-order-text.ts');
  const { id, orderId, shopId, issuedAt, emailed } = receipt;
  return textFields([
    ['id', id],
    ['order', orderId],
    ['shop', shopId],
    ['document', documentText(receipt)],
    ['total', totalOf(receipt, decimalsOf)],
    ['issued', localTime(issuedAt)],
    ['e-mail', MAILED[emailed]],
  ]);
}

async function issue(context: CliContext, core: Core, { orderId, json }: { orderId: string; json?: true }): Promise<void> {
  const { issueReceiptOf } = await import('../../../operations/service/receipts.ts');
  const receipt = await issueReceiptOf(core, { orderId, by: cliActor() });
  if (json) printJson(context, receipt);
  else printLines(context, await receiptText(receipt));
}
