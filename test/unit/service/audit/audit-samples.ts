import { existsSync, readFileSync } from 'node:fs';
import type { AuditHeader, AuditOrder, AuditReturn, AuditSums, Finding } from '../../../../src/service/audit/audit-file.ts';
import { type AuditContent, writeAuditFile } from '../../../../src/service/audit/format/write-audit-file.ts';

export const header: AuditHeader = {
  companyId: '206770508',
  shopNumber: 'RF0000123',
  domain: 'cups.example',
  shopType: 1,
  createdOn: '2026-11-03',
  month: '2026-10',
};

/** Paid through a payment service provider: 2 × 10.00 and 1 × 5.00 at 20 %. */
export const firstOrder: AuditOrder = {
  number: '#1001',
  orderedOn: '2026-10-03',
  documentNumber: '0000000001',
  documentedOn: '2026-10-03',
  articles: [
    { name: 'Чаша за чай', quantity: '2.00', price: '10.00', vatRate: 20, vat: '4.00', sum: '24.00' },
    { name: 'Доставка', quantity: '1.00', price: '5.00', vatRate: 20, vat: '1.00', sum: '6.00' },
  ],
  net: '25.00',
  discount: '0.00',
  vat: '5.00',
  total: '30.00',
  payment: 4,
  posNumber: null,
  transaction: 'pi_1',
  processor: 'IE3206488LH Stripe',
};

/** Paid by virtual POS: a book at 9 %. */
export const secondOrder: AuditOrder = {
  number: '#1002',
  orderedOn: '2026-10-04',
  documentNumber: '0000000002',
  documentedOn: '2026-10-05',
  articles: [{ name: 'Книга', quantity: '1.00', price: '11.00', vatRate: 9, vat: '0.99', sum: '11.99' }],
  net: '11.00',
  discount: '0.00',
  vat: '0.99',
  total: '11.99',
  payment: 2,
  posNumber: '12345678',
  transaction: 'tx_2',
  processor: null,
};

/** An order with everything that the file can say: a new optional field without a value here doesn't compile. */
export const fullOrder: { [Field in keyof AuditOrder]-?: NonNullable<AuditOrder[Field]> } = {
  ...secondOrder,
  number: '#1003',
  documentNumber: '0000000003',
  posNumber: '12345678',
  transaction: 'tx_3',
  processor: 'IE3206488LH Stripe',
};

export const oneReturn: AuditReturn = { number: '#1001', amount: '6.00', returnedOn: '2026-10-20', way: 2 };

export const content = { header, orders: [firstOrder, secondOrder], returns: [oneReturn] } satisfies AuditContent;

/** The written bytes, and the returned sums. */
export async function written(given: Partial<AuditContent> = {}): Promise<{ bytes: Buffer; sums: AuditSums }> {
  const blocks: Buffer[] = [];
  const sums = await writeAuditFile({ ...content, ...given }, (block) => {
    blocks.push(block);
  });
  return { bytes: Buffer.concat(blocks), sums };
}

/** A good file as text, without the XML declaration. */
export async function goodXml(given: Partial<AuditContent> = {}): Promise<string> {
  const { bytes } = await written(given);
  return textOf(bytes).replace(/^<\?xml.*?\?>\n/, '');
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('windows-1251').decode(bytes);
}

const folder = new URL('../../../../../shared/data/audit/', import.meta.url);

/** Whether the agency's schema and the samples are beside the project. */
export const samplesAreThere = existsSync(folder);

export function sample(name: string): Buffer {
  return readFileSync(new URL(name, folder));
}

/** Which rules have findings of a level. */
export function rulesOf(findings: readonly Finding[], level: Finding['level']): string[] {
  return [...new Set(findings.filter((one) => one.level === level).map(({ rule }) => rule))].toSorted();
}
