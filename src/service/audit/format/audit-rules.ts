type Rule = {
  level: 'error' | 'warning';
  /** When it is broken. */
  when: string;
  advice: string;
};

/**
 * The rules beyond the schema, and those for a file to be readable at all; docs/reference/audit-file.md lists them. Rules of the document are from Ordinance
 * N-18 (annex 38, art. 52о, 52т), the others are what implementations of the file agree on. An error blocks a file, a warning is listed.
 */
export const auditRules = {
  'file.not-xml': { level: 'error', when: 'there is no XML in it', advice: 'Give the XML file itself, unpacked.' },
  'file.not-audit': {
    level: 'error',
    when: 'its outermost element is not <audit>',
    advice: 'Give the audit file; the program that made this one has another format.',
  },
  'file.not-well-formed': { level: 'error', when: 'it breaks the rules of XML', advice: 'Make the file anew; if it was edited by hand, repair this place.' },
  'file.document-type': { level: 'error', when: 'it declares a document type (DOCTYPE); nothing in it is read or fetched', advice: 'Remove the declaration.' },
  'file.upper-case': {
    level: 'error',
    when: 'names of elements are in upper case, as the law prints them',
    advice: 'Write the names in lower case, as the agency’s schema has them.',
  },
  'file.namespace': { level: 'error', when: 'elements are in a namespace or have a prefix', advice: 'Remove xmlns and prefixes.' },
  'file.too-large': {
    level: 'error',
    when: 'one order, or the text between orders, is larger than 8 million characters; it is not checked further',
    advice: 'Split it.',
  },
  'encoding.unknown': { level: 'error', when: 'the declared encoding does not exist', advice: 'Declare and write windows-1251.' },
  'encoding.mismatch': {
    level: 'error',
    when: 'the bytes are not in the declared encoding',
    advice: 'Write the bytes in the encoding that the first line declares: windows-1251.',
  },
  'encoding.not-windows-1251': {
    level: 'warning',
    when: 'another encoding than windows-1251 is used, correctly',
    advice: 'Write windows-1251 as the agency’s own sample does; that another encoding is accepted is documented nowhere.',
  },
  'encoding.byte-order-mark': { level: 'warning', when: 'a byte order mark comes before the XML', advice: 'Leave the mark out.' },
  'schema.violation': { level: 'error', when: 'the schema does not allow it', advice: 'Compare the place with the table of elements.' },

  'header.company-number': { level: 'error', when: '`eik` is a placeholder or its check digit is wrong', advice: 'Write the company’s ЕИК.' },
  'header.empty': { level: 'error', when: '`e_shop_n` or `domain_name` is empty', advice: 'Write what the agency registered (annex 33).' },
  'header.shop-number': {
    level: 'warning',
    when: '`e_shop_n` is not RF and seven digits, or all of them are zero',
    advice: 'Write the number that the agency gave the shop.',
  },
  'header.month-not-ended': { level: 'warning', when: 'the file was made before its month was over', advice: 'Make it again after the end of the month.' },
  'header.after-deadline': {
    level: 'warning',
    when: 'the file was made after the last day for filing: the 15th of the next month, or the working day after it',
    advice: 'File at once and ask the accountant: corrections are taken only within the term.',
  },

  'file.no-orders': {
    level: 'error',
    when: 'no order is in it',
    advice: 'Ask the accountant: the schema has no file without orders, even if there are returns.',
  },
  'file.sales-removed': {
    level: 'error',
    when: 'details of deleted orders that it would have to list were removed, a year after its term',
    advice: 'File the last version that was made, or ask the accountant.',
  },
  'file.document-number-gap': {
    level: 'warning',
    when: 'document numbers are missing between the lowest and the highest, and are not known as voided or used elsewhere',
    advice: 'Find what became of them: numbers rise by one. Another shop of the same merchant may have used them.',
  },
  'order.number-missing': { level: 'error', when: '`ord_n` is empty', advice: 'Write the order’s number.' },
  'order.number-repeated': { level: 'error', when: 'two orders have the same `ord_n`', advice: 'List an order once.' },
  'order.reported-before': { level: 'error', when: 'the file of another month lists the order', advice: 'Leave it out here: an order is listed in one month.' },
  'order.document-number': { level: 'error', when: '`doc_n` is not one to ten digits, or is zero', advice: 'Write the number of the document, ten digits.' },
  'order.document-number-short': { level: 'warning', when: '`doc_n` has fewer than ten digits', advice: 'Fill it up with zeros on the left.' },
  'order.document-number-repeated': { level: 'error', when: 'two orders have the same `doc_n`', advice: 'Give each sale a number of its own.' },
  'order.net-mismatch': {
    level: 'error',
    when: '`ord_total1` is not the sum of `art_quant` × `art_price`, to 0.01',
    advice: 'Correct the articles or the sum.',
  },
  'order.total-mismatch': {
    level: 'error',
    when: '`ord_total1` − `ord_disc` + `ord_vat` is not `ord_total2`, to 0.01',
    advice: 'Correct the sums of the order.',
  },
  'order.vat-mismatch': {
    level: 'error',
    when: '`ord_vat` is not the sum of `art_vat`, to 0.01',
    advice: 'Compute the VAT of the order once and split it over the articles.',
  },
  'order.sum-mismatch': { level: 'error', when: '`ord_total2` is not the sum of `art_sum`, to 0.01', advice: 'Correct the articles or the total.' },
  'order.discount-shown': {
    level: 'warning',
    when: '`ord_disc` is not zero: how it is to be read is disputed',
    advice: 'Write prices after the discount and ord_disc 0.00: every reading agrees on that.',
  },
  'order.transaction-missing': { level: 'error', when: 'paid by virtual POS (`paym` 2) without `trans_n`', advice: 'Write the reference of the payment.' },
  'order.reference-missing': {
    level: 'warning',
    when: 'paid through a payment service provider (`paym` 4) without `trans_n`',
    advice: 'Write the reference of the payment, which the sale document must bear, too.',
  },
  'order.processor-missing': {
    level: 'error',
    when: 'paid through a payment service provider (`paym` 4) without `proc_id`',
    advice: 'Write the provider’s number and name.',
  },
  'order.processor-number-missing': {
    level: 'warning',
    when: '`proc_id` of a payment service provider (`paym` 4) is a name without a number',
    advice: 'Write the provider’s ЕИК, or its VAT or register number abroad, and its name.',
  },
  'order.pos-missing': {
    level: 'warning',
    when: 'paid by virtual POS (`paym` 2) without `pos_n`',
    advice: 'Write the terminal’s number if the merchant has it.',
  },
  'order.date-unlikely': {
    level: 'warning',
    when: '`ord_d` is after the month, `doc_date` more than 3 days after it, or one of them more than 92 days before it',
    advice: 'See whether the order belongs to this month.',
  },
  'article.name-missing': { level: 'error', when: '`art_name` is empty', advice: 'Name what was delivered.' },
  'article.name-cut': {
    level: 'warning',
    when: '`art_name` is as long as it may be, or longer: it is cut',
    advice: 'Give the product a name of fewer than 200 characters.',
  },
  'article.sum-mismatch': {
    level: 'error',
    when: '`art_sum` is not `art_quant` × `art_price` + `art_vat`, to 0.01; if a discount is shown: is larger',
    advice: 'Correct the row; if the unit price can’t be exact in two decimals, write quantity 1 and the row’s net amount as price.',
  },
  'article.vat-mismatch': {
    level: 'error',
    when: '`art_vat` is not the VAT in `art_sum` at `art_vat_rate` percent, to 0.01 and half a hundredth for each unit',
    advice: 'Correct the rate or the VAT.',
  },
  'article.vat-rate-unknown': {
    level: 'warning',
    when: '`art_vat_rate` is no Bulgarian rate: 0, 9, 20',
    advice: 'See whether the sale belongs into this file.',
  },
  'return.date-out-of-month': {
    level: 'error',
    when: '`r_date` is not in the month of the file',
    advice: 'List a return in the month in which the money was given back.',
  },
  'return.before-order': { level: 'error', when: '`r_date` is before the order’s `ord_d`', advice: 'Write the day on which the money was given back.' },
  'return.more-than-order': {
    level: 'error',
    when: 'more was given back than the order’s `ord_total2`',
    advice: 'Correct the amount; a return may be listed twice.',
  },
  'return.order-unknown': { level: 'warning', when: 'no file lists the returned order, as far as is known', advice: 'See whether the number is right.' },
  'return.negative': {
    level: 'warning',
    when: '`r_amount` is below zero',
    advice: 'Write the amount that was given back without a sign, as the agency’s sample does.',
  },
  'return.count-mismatch': { level: 'error', when: '`r_ord` is neither the number of returned orders nor of rows', advice: 'Count the returned orders.' },
  'return.total-mismatch': { level: 'error', when: '`r_total` is not the sum of `r_amount`', advice: 'Add up the returns.' },
  'return.sums-missing': {
    level: 'warning',
    when: '`r_ord` or `r_total` is absent: the law wants both, even if nothing was returned',
    advice: 'Write r_ord 0 and r_total 0.00.',
  },
} as const satisfies Record<string, Rule>;

export type AuditRule = keyof typeof auditRules;
