import { z } from 'zod';
import { monthFiledDto, monthGenerateDto, monthNothingDto, monthRejectedDto } from '../../contract/month-dto.ts';
import { createOrderDto, deliveredDto } from '../../contract/order-dto.ts';
import { outstandingDto } from '../../contract/outstanding-dto.ts';
import { createShopDto, deleteShopDto, updateShopDto } from '../../contract/shop-dto.ts';
import { parseBody } from '../http/read-request.ts';
import { neededFields } from '../orders/order-rules.ts';
import { forgottenDto } from '../privacy/forget-buyer.ts';
import { shopOptionsPatch } from '../shops/shop-dto.ts';
import {
  auditFileAnswer,
  deletedOrderAnswer,
  deletedShopAnswer,
  deliveredOrderAnswer,
  listedMonthAnswer,
  monthAnswer,
  monthBeingMadeAnswer,
  orderAnswer,
  pageAnswer,
  problemAnswer,
  readOrderAnswer,
  readShopAnswer,
  receiptAnswer,
  shopAnswer,
} from './answers.ts';

const checked = {
  UpdateShopDto: updateShopDto,
  DeleteShopDto: deleteShopDto,
  OutstandingDto: outstandingDto,
  ShopOptionsDto: shopOptionsPatch,
  GenerateMonthDto: monthGenerateDto,
  MonthFiledDto: monthFiledDto,
  MonthRejectedDto: monthRejectedDto,
  MonthNothingDto: monthNothingDto,
  DeliveredDto: deliveredDto,
};

/** What a use case checks: an order in its key’s dialect, and a shop whose number was given or not. */
const unchecked = { CreateShopDto: createShopDto, CreateOrderDto: createOrderDto };

/** The shapes of bodies by their names in the document. */
const bodies = { ...unchecked, ...checked };

export type BodyName = keyof typeof bodies;

/** What an operation is given of a body. */
export type Input<B extends BodyName> = B extends keyof typeof checked ? z.output<(typeof checked)[B]> : unknown;

/** Throws a `HttpProblem` that names every bad field. */
export function checkBody(name: BodyName, body: unknown): unknown {
  return name in unchecked ? body : parseBody(bodies[name], body);
}

/** The shapes of answers by their names in the document. */
export const answers = {
  ShopDto: shopAnswer,
  ReadShopDto: readShopAnswer,
  DeleteShopResponseDto: deletedShopAnswer,
  OrderDto: orderAnswer,
  DeleteOrderResponseDto: deletedOrderAnswer,
  ReadOrderDto: readOrderAnswer,
  DeliveredOrderDto: deliveredOrderAnswer,
  ForgottenDto: forgottenDto,
  ReceiptDto: receiptAnswer,
  AuditFileDto: auditFileAnswer,
  ShopPage: pageAnswer(readShopAnswer),
  OrderPage: pageAnswer(readOrderAnswer),
  ReceiptPage: pageAnswer(receiptAnswer),
  AuditFilePage: pageAnswer(auditFileAnswer),
  MonthDto: monthAnswer,
  MonthPage: pageAnswer(listedMonthAnswer),
  MonthBeingMadeDto: monthBeingMadeAnswer,
  Problem: problemAnswer,
} as const satisfies Record<string, z.ZodType>;

/** Everything of `components.schemas`, as JSON Schema 2020-12. */
export function jsonSchemas(): Record<string, object> {
  const requested = Object.entries(inJsonSchema(bodies, 'input')).map(([id, schema]) => [id, { ...schema, ...conditions[id] }]);
  return { ...Object.fromEntries(requested), ...inJsonSchema(answers, 'output') };
}

function inJsonSchema(named: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]));
}

/** Rules between fields in JSON Schema, by the name of the body's schema; a rule that JSON Schema can't say is in the words of its field. */
const conditions: Readonly<Record<string, object>> = {
  CreateOrderDto: {
    allOf: neededFields.map(({ paymentType, field }) => ({
      if: { properties: { paymentType: { const: paymentType } }, required: ['paymentType'] },
      then: { required: [field] },
    })),
  },
  UpdateShopDto: { minProperties: 1 },
  ShopOptionsDto: { minProperties: 1 },
};
