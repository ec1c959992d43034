import type { KeptOrder } from '../../bridge/ledger/kept-order.ts';
import { orderOfRecord } from '../../bridge/ledger/order-of-record.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';
import { type RecordAccess, type RecordThere, recordAtService } from './record-at-service.ts';

type Deps = RecordAccess & { pool: Pool };
type Named = { recorded: string; destinationId: string };

/** The record that a person names as an order's. Refuses one that is not there, and that of another order or shop: a later refund would delete it. */
export async function fittingRecord(deps: Deps, order: KeptOrder, { recorded, destinationId }: Named): Promise<Exclude<RecordThere, { is: 'gone' }>> {
  await refuseTaken(deps, order, recorded);
  const there = await recordAtService(deps, destinationId, recorded);
  if (there.is === 'gone') {
    throw noSuchRecord(recorded, { en: 'the compliance service has no record with this id', bg: 'услугата за отчитане няма запис с този идентификатор' });
  }
  if (there.is === 'there' && there.shopId !== order.shopId) {
    throw noSuchRecord(recorded, { en: `it is a record of another shop (${there.shopId})`, bg: `това е запис на друг обект (${there.shopId})` });
  }
  return there;
}

async function refuseTaken({ pool }: Deps, { id, shopId }: KeptOrder, recorded: string): Promise<void> {
  const other = await orderOfRecord(pool, shopId, recorded);
  if (other !== null && other.id !== id) throw ofOther(recorded, `${other.number ?? other.orderId} (id:${other.id})`);
}

export function ofOther(recorded: string, order: string): Refusal {
  return noSuchRecord(recorded, { en: `it is the record of the order ${order}`, bg: `това е записът на поръчка ${order}` });
}

function noSuchRecord(recorded: string, why: Said): Refusal {
  const said = { en: `${recorded} can’t be this order's record: ${why.en}`, bg: `${recorded} не може да е записът на тази поръчка: ${why.bg}` };
  return new Refusal('conflict', said, { advice: { en: 'nothing was changed', bg: 'нищо не беше променено' } });
}
