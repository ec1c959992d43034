import type { Config } from '../../config/config.ts';
import { type Dialect, embeddedDialect, sign } from '../../contract/dialect.ts';
import { toWire } from '../../contract/order-dto.ts';
import type { TaxRecord } from '../../contract/record.ts';

const EXAMPLE_SECRET = 'example-secret';
const SHOP = '00000000-0000-4000-8000-000000000000';
const order: TaxRecord = {
  internalId: '1042',
  internalNumber: '#1042',
  internalCreatedAt: '2026-11-01T10:00:00Z',
  lineItems: [{ name: 'Тениска', quantity: 2, price: '12.90', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
  paymentType: 'VIRTUAL_POS',
  paymentProcessorName: null,
  transactionId: 'pi_1042',
  currency: 'EUR',
  precision: 2,
};

/** The dialect in which a compliance service is spoken to. `address` null: our own. */
export function dialectOf({ compliance }: Pick<Config, 'compliance'>, address: string | null): Dialect {
  return address === null || compliance.kind === 'embedded' ? embeddedDialect : compliance.dialect;
}

/** The secret that the example is signed with, and the request as it would be sent: of nobody's order, with nobody's key. */
export type ExampleRequest = { secret: string; text: string };

export function exampleRequest(address: string | null, dialect: Dialect): ExampleRequest {
  const sale = { record: order, customer: null, shopId: SHOP };
  const body = JSON.stringify(toWire(sale, dialect));
  const head = [
    `POST ${address ?? ''}/public-api/v1/order`,
    'x-api-key: …',
    `x-signature: ${sign(body, EXAMPLE_SECRET, dialect)}`,
    'idempotency-key: …',
    'content-type: application/json',
  ];
  return { secret: EXAMPLE_SECRET, text: [...head, '', body].join('\n') };
}
