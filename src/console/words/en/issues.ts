/** What a person is asked about orders: as a heading, and what he can do. */
export type IssueText = { heading: string; todo: string };

const of: Readonly<Record<string, IssueText>> = {
  '': {
    heading: 'Recorded or not? The answer was lost',
    todo: 'A request was sent and no answer came. Look at the compliance service whether the record is there, then say on the page of the order what you found.',
  },
  'amount.inexact': {
    heading: 'An amount has more decimals than its currency',
    todo: 'Set the number of decimals in the store to the currency’s, then save the order there; it comes again by itself.',
  },
  'total.mismatch': {
    heading: 'The lines do not add up to what was paid',
    todo: 'Gift cards and store credit may lower the total without a line. Correct the order in the store; or record it by hand and settle it on its page.',
  },
  'vat.unmapped': { heading: 'A VAT rate has no group', todo: 'Choose its group; one order is checked first.' },
  'vat.unclear': {
    heading: 'The VAT rate of a line is not clear',
    todo: 'Correct the taxes of the order in the store; or record it by hand and settle it on its page.',
  },
  'payment.unmapped': {
    heading: 'A payment method has no type',
    todo: 'The order names no payment method. Correct it in the store; or record it by hand and settle it on its page.',
  },
  'payment.split': {
    heading: 'Two payment methods paid for one order',
    todo: 'Leave one of them in the store; or record the order by hand and settle it on its page.',
  },
  'payment.outstanding': {
    heading: 'It was paid, and now a part is unpaid',
    todo: 'Collect or settle the rest in the store; the order is then decided again by itself.',
  },
  'refund.unattributed': {
    heading: 'A refund names no lines, and the order has several VAT rates',
    todo: 'Refund by lines in the store; or record by hand what is left, and settle the order on its page.',
  },
  'removal.unproven': {
    heading: 'Cancelled, deleted, a draft or a test now, and its refund was not seen',
    todo: 'If the money went back, refund it in the store, too. Or say of each order whether it is still a sale.',
  },
  'refund.deleted': {
    heading: 'A refund was deleted, and what the order is now is not known',
    todo: 'Save the order in the store: it comes again, and is decided by what it is then.',
  },
  'currency.ended': {
    heading: 'The order is in a currency that had ended',
    todo: 'Set the store’s currency to the one that buyers pay in; record the order by hand in it and settle it on its page, or change the settings of the store.',
  },
  'gift-card.undecided': { heading: 'Is the sale of a gift card a sale?', todo: 'Ask the accountant, and choose; one order is checked first.' },
  'order.other': {
    heading: 'Another order came under the number of a known one',
    todo: 'Compare both in the store, such as after a backup was restored. What is recorded stays until you say which it is.',
  },
  'settled.changed': {
    heading: 'It was settled, and something new came of it',
    todo: 'Compare on its page what was said with what is new, and say it again, or have it decided anew.',
  },
  'seller.other': {
    heading: 'The seller is another party (marketplace)',
    todo: 'Check who owes the VAT. If it is the merchant, record it by hand; if not, it is no sale of his. Settle it on its page.',
  },
  'order.inexpressible': {
    heading: 'It has something that a tax record can’t express',
    todo: 'Correct the order in the store; or record it by hand and settle it on its page.',
  },
  'compliance.refused': {
    heading: 'The compliance service refuses the record',
    todo: 'Its words say why. Correct the settings, the shop or the order; then check on one order.',
  },
  'compliance.conflict': {
    heading: 'The compliance service already has a record under this number',
    todo: 'Look whose sale it is, then say so on the page of the order.',
  },
  'replacement.refused': {
    heading: 'The changed order was refused; what was recorded before stands again',
    todo: 'The words of the service say why. Correct the order, then check on one; or settle it on its page with the record that it has.',
  },
  'record.doubled': {
    heading: 'It is recorded twice',
    todo: 'Its page shows both records. Delete the one that is wrong there; the order is then decided again by itself.',
  },
  'storefront.unreachable': {
    heading: 'The store did not say what its webhooks left out',
    todo: 'Check the address of the store on its page; then check on one order.',
  },
  'storefront.refused': {
    heading: 'The store refuses its key',
    todo: 'Make a key with read rights in the store and give it on the page of the store; the orders are then decided again by themselves.',
  },
};

export const issues = {
  of,
  /** A code of a later release. */
  later: { heading: 'An issue of a later release', todo: 'Look at the orders with that release, or upgrade this one.' } satisfies IssueText,
  payment: (gateway: string): string => `“${gateway}” has no payment type`,
  vat: (rate: string): string => `The VAT rate ${rate} % has no group`,
  contained: 'Nothing in the orders bears a tax',
  refused: (words: string): string => `The compliance service says: “${words}”`,
  webhooks: 'Webhooks that can’t be read',
  host: (host: string): string => `Whose are the webhooks from ${host}?`,
};
