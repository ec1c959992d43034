import type { Customer } from '../../../contract/record.ts';
import type { ShopifyOrder } from './payload.ts';

type Names = { first_name?: string | null | undefined; last_name?: string | null | undefined };

/** The buyer as far as the shop may share it: Shopify blanks these fields for apps without access to protected data. Undefined if nothing is left. */
export function toCustomer({ email, contact_email, phone, billing_address, shipping_address, customer }: ShopifyOrder): Customer | undefined {
  const names: Names = [billing_address, customer].find(hasName) ?? {};
  const fields = {
    email: firstText([email, contact_email, customer?.email]),
    phone: firstText([phone, billing_address?.phone, shipping_address?.phone, customer?.phone]),
    firstName: firstText([names.first_name]),
    lastName: firstText([names.last_name]),
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function hasName(person: Names | null | undefined): boolean {
  return firstText([person?.first_name, person?.last_name]) !== undefined;
}

function firstText(texts: (string | null | undefined)[]): string | undefined {
  return texts.map((text) => text?.trim()).find((text) => text !== undefined && text !== '');
}
