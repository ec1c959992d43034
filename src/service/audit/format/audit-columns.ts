import { amount, companyNumber, day, documentNumber, type Kind, monthNumber, shopType, text, whole, year } from './column-kinds.ts';

type Value = string | number | null | readonly AuditArticle[];
type Csv = readonly [place: number, label: string];

export type AuditColumn<Field extends string = string, Of = Value> = {
  field: Field;
  kind: Kind<Of>;
  /** What it holds, in the schema and in docs/reference/audit-file.md. */
  means: string;
  optional: boolean;
  /** Its place in the CSV, from 0, and its label there. A new one comes after all, those of `csv-columns.ts`, too. */
  csv: Csv | null;
};
type Shown = readonly [means: string, csv?: Csv | null];

/** By the names of their elements, in the order of the law's table. */
export type AuditColumns = Readonly<Record<string, AuditColumn>>;

/** The values of a row by their fields. */
type RowOf<Of extends AuditColumns> = { [Element in keyof Of as Of[Element]['field']]: Of[Element] extends AuditColumn<string, infer One> ? One : never };

function column<const Field extends string, Of>(field: Field, kind: Kind<Of>, ...[means, csv = null]: Shown): AuditColumn<Field, Of> {
  return { field, kind, means, optional: false, csv };
}

/** A text whose element is absent where there is nothing to say. */
function optional<const Field extends string>(field: Field, kind: Kind<string>, ...[means, csv = null]: Shown): AuditColumn<Field, string | null> {
  const write = (value: string | null) => kind.write(value ?? '');
  return { field, kind: { ...kind, write, read: (value) => value || null }, means, optional: true, csv };
}

// The audit file of Ordinance N-18, annex 38, is described here once: the writer, the schema, the reader, the comparison, the CSV and the table in
// docs/reference/audit-file.md are made from it. Days: "2026-10-31"; money: text with two decimals; a month: "2026-10".

export const headerColumns = {
  eik: column('companyId', companyNumber, 'Company number (ЕИК) of the merchant; 13 digits for a branch.'),
  e_shop_n: column('shopNumber', text(10, 'shopNumber'), 'The number that the agency gave the shop: RF and seven digits.'),
  domain_name: column('domain', text(200), 'The address of the shop as registered in annex 33.'),
  e_shop_type: column('shopType', shopType, '1: a domain of its own. 2: inside an online platform.'),
  creation_date: column('createdOn', day, 'The day on which the file was made.'),
  mon: column('month', monthNumber, 'The month, two digits.'),
  god: column('month', year, 'The year.'),
} satisfies AuditColumns;

const PAYMENTS =
  'How it was paid. 1: without fiscal receipt by art. 3. 2: virtual POS. 3: postal money order. 4: payment service provider. 5: other without fiscal receipt. 6: with a fiscal receipt.';

/** The longest name of an article; a longer one is cut. */
export const NAME_LENGTH = 200;

/** `price` is the unit price without VAT, `vat` and `sum` (with VAT) are of the whole row; quantity has two decimals at most. */
export const articleColumns = {
  art_name: column('name', text(NAME_LENGTH), 'What was delivered.', [10, 'Стока или услуга']),
  art_quant: column('quantity', amount, 'How many, or how much.', [11, 'Количество']),
  art_price: column('price', amount, 'The price of one, without VAT and before discount.', [12, 'Единична цена без ДДС']),
  art_vat_rate: column('vatRate', whole('vatRate', [0, 100]), 'The VAT rate in whole percent.', [13, 'Ставка на ДДС, %']),
  art_vat: column('vat', amount, 'The VAT of the whole row.', [14, 'ДДС на реда']),
  art_sum: column('sum', amount, 'The whole row with VAT.', [15, 'Сума на реда с ДДС']),
} satisfies AuditColumns;

export type AuditArticle = RowOf<typeof articleColumns>;

const articles: Kind<readonly AuditArticle[]> = {
  ...{ type: 'articles', limit: 'one or more', sample: itemXml('artenum', samples(articleColumns)) },
  write: (rows) => `\n${rows.map((row) => `${itemXml('artenum', elements(articleColumns, row))}\n`).join('')}`,
  // The reader collects them.
  read: () => null,
};

/** `net` and `discount` are without VAT, `net` before the discount. */
export const orderColumns = {
  ord_n: column('number', text(300), 'The number of the order in the shop’s software.', [1, 'Поръчка №']),
  ord_d: column('orderedOn', day, 'The day of the order.', [2, 'Дата на поръчката']),
  doc_n: column('documentNumber', documentNumber, 'The number of the document of art. 52о, para. 1: ten digits by law.', [3, 'Документ №']),
  doc_date: column('documentedOn', day, 'The day of that document.', [4, 'Дата на документа']),
  art: column('articles', articles, 'The articles.'),
  ord_total1: column('net', amount, 'All articles without VAT and before discount.', [16, 'Поръчка без ДДС преди отстъпка']),
  ord_disc: column('discount', amount, 'The discount.', [17, 'Отстъпка без ДДС']),
  ord_vat: column('vat', amount, 'The VAT.', [18, 'ДДС на поръчката']),
  ord_total2: column('total', amount, 'The whole with VAT.', [19, 'Поръчка с ДДС']),
  paym: column('payment', whole('payment', [1, 6]), PAYMENTS, [5, 'Плащане, код']),
  pos_n: optional('posNumber', text(200), 'The number of the virtual POS terminal.', [7, 'Виртуален ПОС №']),
  trans_n: optional('transaction', text(200), 'The reference of the financial transaction.', [8, 'Транзакция №']),
  proc_id: optional('processor', text(200), 'The payment service provider: number and name.', [9, 'Доставчик на платежни услуги']),
} satisfies AuditColumns;

/** Money given back for an order that an earlier file lists. */
export const returnColumns = {
  r_ord_n: column('number', text(300), 'The number of the returned order.'),
  r_amount: column('amount', amount, 'What was given back, with VAT.', [27, 'Върната сума с ДДС']),
  r_date: column('returnedOn', day, 'The day on which it was given back.', [28, 'Върната на']),
  r_paym: column('way', whole('returnWay', [1, 4]), 'How it was given back. 1: to a payment account. 2: to a card. 3: in cash. 4: otherwise.', [
    29,
    'Начин на връщане',
  ]),
} satisfies AuditColumns;

export type AuditHeader = RowOf<typeof headerColumns>;
export type AuditOrder = RowOf<typeof orderColumns>;
export type AuditReturn = RowOf<typeof returnColumns>;

const described = new Map<string, AuditColumn>(Object.entries({ ...headerColumns, ...articleColumns, ...orderColumns, ...returnColumns }));

/** The column of an element; undefined if it has none. */
export function columnOf(element: string): AuditColumn | undefined {
  return described.get(element);
}

const entries = new Map<AuditColumns, readonly [string, AuditColumn][]>();

/** The columns with the names of their elements. Every order takes them, so they are listed once. */
export function columnsOf(columns: AuditColumns): readonly [string, AuditColumn][] {
  const known = entries.get(columns) ?? Object.entries(columns);
  entries.set(columns, known);
  return known;
}

/** The elements of a row. Throws RangeError on values that can't be written. */
export function elements(columns: AuditColumns, row: Readonly<Record<string, unknown>>): string[] {
  return columnsOf(columns).map(([element, { field, kind, optional: mayBeAbsent }]) => {
    const value = row[field] as Value;
    return mayBeAbsent && (value === null || value === '') ? '' : `<${element}>${kind.write(value)}</${element}>`;
  });
}

/** The mandatory elements with values that the schema allows. */
export function samples(columns: AuditColumns): string[] {
  return Object.entries(columns).flatMap(([element, { kind, optional: mayBeAbsent }]) => (mayBeAbsent ? [] : [`<${element}>${kind.sample}</${element}>`]));
}

/** An article, an order or a return around its elements. */
export function itemXml(name: 'artenum' | 'orderenum' | 'rorderenum', contents: readonly string[]): string {
  return `<${name}>${contents.join('')}</${name}>`;
}
