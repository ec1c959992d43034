import type { ReceiptDocument } from './receipt-document.ts';
import { type ReceiptView, receiptView } from './receipt-view.ts';
import type { Say } from './receipt-words.ts';

/** The whole document as plain text, for mail programs that show no HTML. */
export function receiptText(receipt: ReceiptDocument): string {
  const view = receiptView(receipt);
  const { say } = view;
  const blocks = [
    ...(view.watermark === null ? [] : [[view.watermark]]),
    [view.title, `№ ${view.number} / ${view.date}`, ...(view.replaces === null ? [] : [view.replaces])],
    [view.shop, view.company, ...view.seller],
    [...view.facts.map(({ label, value }) => `${label}: ${value}`), `${say('payment')}: ${view.payment}`],
    view.lines.map((line) => lineText(line, say)),
    sumTexts(view),
    [say('vatByGroup'), ...view.groups.map((sum) => groupText(sum, say))],
    [`${say('qr')}: ${view.qr}`, view.basis],
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function lineText({ name, group, quantity, price, discount, value }: ReceiptView['lines'][number], say: Say): string {
  const off = discount === null ? '' : `, ${lower(say('discount'))} ${discount}`;
  return `${name}\n  ${quantity} × ${price}${off} = ${value} (${say('taxGroup')} ${group})`;
}

function groupText({ group, rate, net, vat, gross }: ReceiptView['groups'][number], say: Say): string {
  return `${group}, ${rate}: ${lower(say('net'))} ${net}, ${say('vat')} ${vat}, ${lower(say('gross'))} ${gross}`;
}

function lower(words: string): string {
  return words.toLocaleLowerCase('bg');
}

function sumTexts({ hasDiscounts, beforeDiscount, discount, total, equivalents, say }: ReceiptView): string[] {
  return [
    ...(hasDiscounts ? [`${say('beforeDiscount')}: ${beforeDiscount}`, `${say('discount')}: ${discount}`] : []),
    `${say('total')}: ${total}`,
    ...equivalents.map(({ label, value, note }) => `${label}: ${value} (${note})`),
  ];
}
