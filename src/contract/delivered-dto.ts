import { z } from 'zod';
import { createOrderDto } from './order-dto.ts';

/** When an order was delivered: it is listed by the file of that month. */
export const deliveredDto = z.strictObject({
  at: createOrderDto.shape.internalCreatedAt.describe('When the order was delivered, ISO 8601; without an offset it is Bulgarian time.'),
});
