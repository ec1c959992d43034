import { embeddedDialect, sign } from '../../../src/contract/dialect.ts';
import type { OutstandingDto } from '../../../src/contract/outstanding-dto.ts';
import type { Credentials } from './compliance-caller.ts';

/** What a shop would report on 10 November of three orders of October without a known payment method. */
export function outstandingDto(changes: Partial<OutstandingDto> = {}, month: Partial<OutstandingDto['months'][number]> = {}): OutstandingDto {
  const october = {
    month: '2026-10',
    orders: 3,
    total: '36.00',
    currency: 'EUR',
    oldest: '2026-10-03T08:00:00.000Z',
    codes: { 'payment.unmapped': 3 },
    ...month,
  };
  return { at: '2026-11-10T03:00:00.000Z', months: [october], ...changes };
}

/** Reports as any caller would. */
export function reporterOf(baseUrl: string, { apiKey, apiSecret }: Credentials) {
  return async (shopId: string, list: unknown): Promise<{ status: number; body: Record<string, unknown> }> => {
    const body = JSON.stringify(list);
    const headers = { 'x-api-key': apiKey, 'x-signature': sign(body, apiSecret, embeddedDialect), 'content-type': 'application/json' };
    const response = await fetch(`${baseUrl}/service/v1/shops/${shopId}/outstanding`, { method: 'PUT', headers, body });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
}
