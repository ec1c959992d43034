import type { ReceiptDocument } from './receipt-document.ts';
import { type ReceiptView, receiptView } from './receipt-view.ts';

/** The whole document as plain text, for mail programs that show no HTML. */
export function receiptText(receipt: ReceiptDocument): string {
  const view = receiptView(receipt);
  const blocks = [
    [view.title, `№ ${view.number} / ${view.date}`, ...(view.replaces === null ? [] : [view.replaces])],
    [view.shop, view.company, ...view.seller],
    [...view.facts.map(({ label, value }) => `${label}: ${value}`), `Начин на плащане: ${view.payment}`],
    view.lines.map((line) => lineText(line)),
    sumTexts(view),
    ['ДДС по данъчни групи', ...view.groups.map(({ group, rate, net, vat, gross }) => `${group}, ${rate}: основа ${net}, ДДС ${vat}, общо ${gross}`)],
    [`QR код: ${view.qr}`, view.basis],
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function lineText({ name, group, quantity, price, discount, value }: ReceiptView['lines'][number]): string {
  return `${name}\n  ${quantity} × ${price}${discount === null ? '' : `, отстъпка ${discount}`} = ${value} (данъчна група ${group})`;
}

function sumTexts({ hasDiscounts, beforeDiscount, discount, total, equivalents }: ReceiptView): string[] {
  return [
    ...(hasDiscounts ? [`Стойност преди отстъпка: ${beforeDiscount}`, `Отстъпка: ${discount}`] : []),
    `Обща сума за плащане: ${total}`,
    ...equivalents.map(({ label, value, note }) => `${label}: ${value} (${note})`),
  ];
}
