import { z } from 'zod';
import { deliveredDto } from '../../contract/delivered-dto.ts';
import { monthFiledDto, monthGenerateDto, monthNothingDto, monthRejectedDto } from '../../contract/month-dto.ts';
import { createOrderDto } from '../../contract/order-dto.ts';
import { outstandingDto } from '../../contract/outstanding-dto.ts';
import { createShopDto, deleteShopDto, updateShopDto } from '../../contract/shop-dto.ts';
import { forgottenDto } from '../privacy/forget-buyer.ts';
import { shopOptionsPatch } from '../shops/shop-options.ts';
import {
  auditFileAnswer,
  deletedOrderAnswer,
  deletedShopAnswer,
  deliveredOrderAnswer,
  orderAnswer,
  pageAnswer,
  problemAnswer,
  readOrderAnswer,
  readShopAnswer,
  receiptAnswer,
  shopAnswer,
} from './answers.ts';
import { conditions } from './conditions.ts';
import { listedMonthAnswer, monthAnswer, monthBeingMadeAnswer } from './month-answers.ts';

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
