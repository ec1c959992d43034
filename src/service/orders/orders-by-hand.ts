import { z } from 'zod';
import { embeddedDialect } from '../../contract/dialect.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';
import { notFound } from '../http/http-problem.ts';
import type { OrderDto } from './order-dto.ts';
import { createOrders, type DeleteOrderResponseDto, type OrdersDeps } from './orders.ts';

const shopRows = rowsOf('compliance.shops', z.object({ id: z.string(), keyId: z.string(), isTest: z.boolean() }));

type ByHand = { by: Actor; why?: string };

/** Orders that a person records and deletes, whichever key made their shop; each with its act, in one transaction. */
export type OrdersByHand = {
  /** `body`: a CreateOrderDto with amounts in decimals. Throws a `HttpProblem`, as `Orders.create`. */
  create(request: ByHand & { shopId: string; body: unknown }): Promise<OrderDto>;
  /** Throws a `HttpProblem` if there is no such order (any more). */
  delete(request: ByHand & { id: string }): Promise<DeleteOrderResponseDto>;
};

export function createOrdersByHand(deps: OrdersDeps & { pool: Pool }): OrdersByHand {
  const { pool } = deps;
  return {
    create: ({ shopId, body, ...act }) =>
      inTransaction(pool, async (tx) => {
        const caller = await callerOf(tx, { shopId });
        const { order } = await createOrders({ ...deps, pool: tx }).create({ caller, body, idempotencyKey: null });
        const after = { documentNumber: order.documentNumber, internalId: order.internalId, total: order.total, currency: order.currency, shopId };
        await writeServiceActs(tx, [{ who: act.by, act: 'order.created', subject: order.id, after, ...whyOf(act) }]);
        return order;
      }),
    delete: ({ id, ...act }) =>
      inTransaction(pool, async (tx) => {
        const deleted = await createOrders({ ...deps, pool: tx }).delete({ caller: await callerOf(tx, { orderId: id }), id });
        await writeServiceActs(tx, [{ who: act.by, act: 'order.deleted', subject: id, ...whyOf(act) }]);
        return deleted;
      }),
  };
}

function whyOf({ why }: ByHand): { why?: string } {
  return why === undefined ? {} : { why };
}

// The person stands in for the owner of the shop.
async function callerOf(tx: Queryable, { shopId = null, orderId = null }: { shopId?: string | null; orderId?: string | null }) {
  const shop = await readRow(tx, shopRows, {
    text: `select s.id, s.api_key_id as "keyId", s.test as "isTest" from compliance.shops s
      where s.id = coalesce($1::uuid, (select o.shop_id from compliance.orders o where o.id = $2::uuid))`,
    values: [shopId, orderId],
  });
  if (shop === null) throw notFound(orderId === null ? 'shop' : 'order');
  const { keyId, isTest } = shop;
  return { keyId, usedKeyId: keyId, isTest, secret: '', multiShop: true, dialect: embeddedDialect };
}
