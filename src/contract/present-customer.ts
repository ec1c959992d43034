import type { CreateOrderDto } from './order-dto.ts';
import type { Customer } from './record.ts';

/** Buyer data without empty parts; null if nothing remains, so that `customer` is left out. */
export function presentCustomer(customer: CreateOrderDto['customer'] | null): Customer | null {
  const { email, phone, firstName, lastName } = customer ?? {};
  const present = { ...(email && { email }), ...(phone && { phone }), ...(firstName && { firstName }), ...(lastName && { lastName }) };
  return Object.keys(present).length === 0 ? null : present;
}
