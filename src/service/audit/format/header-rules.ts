import { isCompanyId } from '../../../contract/company-id.ts';
import { isShopNumber } from '../../../contract/shop-number.ts';
import { accountingCurrencyOf } from '../../law/accounting-currency.ts';
import { deadlineOf } from '../../law/deadlines.ts';
import { lastDayOf } from '../../law/months.ts';
import type { Remark } from './article-rules.ts';
import type { SeenHeader } from './seen-audit.ts';

/** `today` ("2026-11-20") replaces the creation day that the file names; `currency` is that of the amounts, which the file does not name. */
export type HeaderContext = { today?: string; currency?: string };

/** Checks the rules of a file's header. Pure. */
export function headerRemarks(header: SeenHeader, context: HeaderContext = {}): Remark[] {
  return [...identityRemarks(header), ...timeRemarks(header, context)];
}

function identityRemarks({ companyId, shopNumber, domain }: SeenHeader): Remark[] {
  const remarks: Remark[] = [];
  if (companyId !== null && !isCompanyId(companyId))
    remarks.push({ rule: 'header.company-number', words: `eik is "${companyId.slice(0, 50)}"`, element: 'eik' });
  if (domain?.trim() === '') remarks.push({ rule: 'header.empty', words: 'domain_name is empty', element: 'domain_name' });
  if (shopNumber?.trim() === '') remarks.push({ rule: 'header.empty', words: 'e_shop_n is empty', element: 'e_shop_n' });
  else if (shopNumber !== null && (!isShopNumber(shopNumber) || shopNumber === 'RF0000000'))
    remarks.push({ rule: 'header.shop-number', words: `e_shop_n is "${shopNumber.slice(0, 50)}"`, element: 'e_shop_n' });
  return remarks;
}

function timeRemarks({ month, createdOn }: SeenHeader, { today, currency }: HeaderContext): Remark[] {
  if (month === null) return [];
  const remarks: Remark[] = [];
  const day = today ?? createdOn;
  if (day !== null && day <= lastDayOf(month))
    remarks.push({ rule: 'header.month-not-ended', words: `made on ${day}, before the end of ${month}`, element: 'creation_date' });
  if (day !== null && day > deadlineOf(month))
    remarks.push({ rule: 'header.after-deadline', words: `made on ${day}; the file of ${month} was due on ${deadlineOf(month)}`, element: 'creation_date' });
  const due = accountingCurrencyOf(month);
  if (currency !== undefined && currency !== due)
    remarks.push({ rule: 'header.currency', words: `the amounts are in ${currency}; those of ${month} are declared in ${due}`, element: 'mon' });
  return remarks;
}
