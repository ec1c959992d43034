import { neededFields } from '../orders/needed-fields.ts';

/** Rules between fields in JSON Schema, by the name of the body's schema; a rule that JSON Schema can't say is in the words of its field. */
export const conditions: Readonly<Record<string, object>> = {
  CreateOrderDto: {
    allOf: neededFields.map(({ paymentType, field }) => ({
      if: { properties: { paymentType: { const: paymentType } }, required: ['paymentType'] },
      then: { required: [field] },
    })),
  },
  UpdateShopDto: { minProperties: 1 },
  ShopOptionsDto: { minProperties: 1 },
};
