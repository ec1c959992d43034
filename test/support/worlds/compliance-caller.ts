import { z } from 'zod';
import { type Dialect, embeddedDialect, sign } from '../../../src/contract/dialect.ts';
import type { CreateOrderDto } from '../../../src/contract/order-dto.ts';
import type { CreateShopDto } from '../../../src/contract/shop-dto.ts';

export type Credentials = { apiKey: string; apiSecret: string };
export type Answered = { status: number; headers: Headers; body: Record<string, unknown> };
const jsonObject = z.record(z.string(), z.unknown());
type SignatureDialect = Pick<Dialect, 'signatureAlgorithm' | 'signatureEncoding'>;
type Sent = { body?: unknown; headers?: Record<string, string | undefined>; dialect?: SignatureDialect };

/** Signs and sends as any client of the documented interface would: `body` as JSON, or as it is if it is text or bytes. */
export function callerOf(baseUrl: string, { apiKey, apiSecret }: Credentials, under: '/public-api/v1' | '/service/v1' = '/public-api/v1') {
  return async (method: string, path: string, { body, headers = {}, dialect = embeddedDialect }: Sent = {}): Promise<Answered> => {
    const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : body === undefined ? undefined : JSON.stringify(body);
    const all = {
      'x-api-key': apiKey,
      'x-signature': sign(bytes ?? '', apiSecret, dialect),
      ...(bytes === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const payload = bytes instanceof Uint8Array ? Buffer.from(bytes) : (bytes ?? null);
    const response = await fetch(`${baseUrl}${under}${path}`, { method, headers: present, body: payload, redirect: 'manual' });
    return { status: response.status, headers: response.headers, body: jsonObject.parse(await response.json()) };
  };
}

export type Call = ReturnType<typeof callerOf>;

/** A shop that is right in every field; `changes` replaces some. */
export function shopDto(changes: Record<string, unknown> = {}): CreateShopDto {
  const shop: CreateShopDto = {
    name: 'Магазин за чаши',
    domain: 'cups.example',
    customerPhone: '+359888123456',
    customerEmail: 'shop@cups.example',
    nraNumber: 'RF0000123',
    companyUic: '206770508',
    companyName: 'Чаши ЕООД',
    companyAddress: 'София, ул. Шипка 1',
  };
  return { ...shop, ...changes };
}

/** An order that is right in every field; `changes` replaces some. */
export function orderDto(shopId: string, changes: Record<string, unknown> = {}): CreateOrderDto {
  const order: CreateOrderDto = {
    internalId: '5001',
    internalNumber: '#1042',
    internalCreatedAt: '2026-11-20T10:15:00+02:00',
    customer: { email: 'ivan@buyer.example', phone: '0888 123 456', firstName: 'Иван', lastName: 'Петров' },
    lineItems: [
      { name: 'Чаша', quantity: 3, price: 12.9, discount: 1.05, vatRate: 20, vatGroup: 'GROUP_B' },
      { name: 'Книга', quantity: 1, price: 21.8, discount: 0, vatRate: 9, vatGroup: 'GROUP_D' },
    ],
    paymentType: 'PAYMENT_PROCESSOR',
    paymentProcessorName: 'Stripe',
    transactionId: 'pi_1',
    precision: 2,
    currency: 'EUR',
    shopId,
  };
  return { ...order, ...changes };
}

/** `embeddedDialect` with some settings changed. */
export function dialectWith(changes: Partial<Dialect>): Dialect {
  return { ...embeddedDialect, ...changes };
}
