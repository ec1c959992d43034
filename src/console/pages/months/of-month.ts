import { type MonthReport, monthReport, shopOfMonth } from '../../../operations/months/month-report.ts';
import type { MonthKey } from '../../../service/audit/month/month-state.ts';
import type { AuditShop } from '../../../service/audit/month/shop-of-month.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { html } from '../../../web/html.ts';
import type { PageContext, PageReply, ShownPage } from '../../base/page.ts';
import { listAddress } from '../../frame/parts.ts';

/** A month that this person may see, of our own service. */
export type OfMonth = { service: ComplianceService; key: MonthKey; shop: AuditShop };

/** Answers for the month in the address; or says that there is none for this person. */
export async function ofMonth(context: PageContext, answer: (of: OfMonth) => Promise<PageReply>): Promise<PageReply> {
  const { deps, person, req, words } = context;
  const { service } = deps;
  const key = { shopId: String(req.params['shop']).toLowerCase(), month: String(req.params['month']) };
  const shop = service === null ? null : await shopOfMonth(service.audit, key, person.shops);
  if (service === null || shop === null) return missing(context);
  if (shop.test) return { status: 404, title: words.month.testTitle, place: 'months', body: html`<p>${words.month.testShop}</p>` };
  return answer({ service, key, shop });
}

export function reportOf({ deps }: PageContext, { service, key }: OfMonth): Promise<MonthReport | null> {
  return monthReport({ pool: deps.pool, service }, key);
}

export function missing({ words: { frame } }: PageContext): ShownPage {
  return { status: 404, title: frame.problem.missingTitle, place: 'months', body: html`<p>${frame.problem.missing}</p>` };
}

export function monthPath({ shopId, month }: MonthKey): string {
  return `/console/months/${shopId}/${month}`;
}

/** All months of a shop; null: of one that is chosen there. */
export function olderPath(shop: { id: string } | null): string {
  return listAddress('months', { older: '1', shop: shop?.id ?? '' });
}
