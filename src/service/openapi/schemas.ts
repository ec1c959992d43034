import { z } from 'zod';
import { monthFiledDto, monthGenerateDto, monthNothingDto, monthRejectedDto } from '../../contract/month-dto.ts';
import { createOrderDto, deliveredDto } from '../../contract/order-dto.ts';
import { outstandingDto } from '../../contract/outstanding-dto.ts';
import { createShopDto, deleteShopDto, updateShopDto } from '../../contract/shop-dto.ts';
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

const bodies = {
  CreateShopDto: createShopDto,
  UpdateShopDto: updateShopDto,
  DeleteShopDto: deleteShopDto,
  CreateOrderDto: createOrderDto,
  OutstandingDto: outstandingDto,
  ShopOptionsDto: shopOptionsPatch,
  GenerateMonthDto: monthGenerateDto,
  MonthFiledDto: monthFiledDto,
  MonthRejectedDto: monthRejectedDto,
  MonthNothingDto: monthNothingDto,
  DeliveredDto: deliveredDto,
};

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
  const checked = Object.entries(inJsonSchema(bodies, 'input')).map(([id, schema]) => [id, { ...schema, ...conditions[id] }]);
  return { ...Object.fromEntries(checked), ...inJsonSchema(answers, 'output') };
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
