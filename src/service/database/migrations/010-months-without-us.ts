import { buyers } from './010/buyers.ts';
import { filed } from './010/filed.ts';
import { links } from './010/links.ts';
import { mails } from './010/mails.ts';
import { months } from './010/months.ts';
import { receipts } from './010/receipts.ts';
import { returns } from './010/returns.ts';
import { tenants } from './010/tenants.ts';

/** A merchant files every month by himself: what months, links, owners of numbers, returns, receipts and buyers need for it. */
export const monthsWithoutUs = [months, filed, links, tenants, returns, receipts, buyers, mails].join('');
