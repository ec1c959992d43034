import type { OpenPage, Page } from './base/page.ts';
import { accountPage, ownSessionsPage, passwordPage } from './pages/account.ts';
import { activityCsv, activityPage } from './pages/activity.ts';
import { bulkActionPage } from './pages/bulk-actions.ts';
import { probePage, resumePage, resumeQueuePage } from './pages/destinations/destination.ts';
import { destinationsPage } from './pages/destinations/destinations-page.ts';
import { endpointPage, eventPage, eventsPage } from './pages/destinations/events-pages.ts';
import { jobsPage } from './pages/destinations/jobs-page.ts';
import { factorPages } from './pages/entry/factor-pages.ts';
import { choosePasswordPage, enterPage, setupPage } from './pages/entry/link-pages.ts';
import { secondStepPage } from './pages/entry/second-step-page.ts';
import { oidcPages, signInPage } from './pages/entry/sign-in-pages.ts';
import { findPage } from './pages/find/find-page.ts';
import { invitationsPage, invitationVerbs } from './pages/invitations.ts';
import { languagePage } from './pages/language.ts';
import { livePage } from './pages/live.ts';
import { dueListPage, monthArchivePage } from './pages/months/due-list.ts';
import { monthPages } from './pages/months/month-page.ts';
import { monthsPage } from './pages/months/months-page.ts';
import { orderPage, orderVerbs } from './pages/order/order-page.ts';
import { buyerPages, recordsPage } from './pages/order/records-pages.ts';
import { askStorePage, ordersCsv, ordersPage } from './pages/orders/orders-page.ts';
import { peoplePage, personPage, personVerbs } from './pages/people/people-pages.ts';
import { importRatesPage, ratesPage } from './pages/rates.ts';
import { recordPage } from './pages/records.ts';
import { assignPages } from './pages/review/assign-pages.ts';
import { issuePage } from './pages/review/issue-page.ts';
import { proposalPages } from './pages/review/proposal-pages.ts';
import { reviewPage } from './pages/review/review-page.ts';
import { hostsPage, webhooksPage } from './pages/review/webhooks-pages.ts';
import { disconnectPage } from './pages/store/disconnect-page.ts';
import { keysPage, secretPage } from './pages/store/keys-pages.ts';
import { settingsPage } from './pages/store/settings.ts';
import { startPage } from './pages/store/start-page.ts';
import { hostPage, storePage, storeWebhooksPage } from './pages/store/store-page.ts';
import { storesPage } from './pages/store/stores-page.ts';
import { backfillPage } from './pages/store/tasks/backfill-page.ts';
import { comparePage } from './pages/store/tasks/compare-page.ts';
import { taskPage } from './pages/store/tasks/task-page.ts';
import { readNowPage } from './pages/store/tasks/tasks-part.ts';
import { testPage } from './pages/store/tasks/test-page.ts';
import { todayPage } from './pages/today.ts';
import { replayPage } from './pages/webhooks/replay-page.ts';
import { webhookPage } from './pages/webhooks/webhook-page.ts';
import { webhookListPage } from './pages/webhooks/webhooks-page.ts';

/** Every page of the console, by its address. */
export const pages: readonly Page[] = [
  todayPage,
  findPage,
  ...[ordersPage, ordersCsv, askStorePage, orderPage, ...orderVerbs, ...buyerPages, recordsPage, recordPage],
  ...[reviewPage, webhooksPage, hostsPage, issuePage, ...assignPages, ...proposalPages, bulkActionPage],
  ...[monthsPage, dueListPage, monthArchivePage, ...monthPages],
  ...[storesPage, invitationsPage, ...invitationVerbs],
  ...[webhookListPage, webhookPage, replayPage],
  ...[storePage, storeWebhooksPage, hostPage, settingsPage, secretPage, keysPage, startPage, disconnectPage],
  ...[readNowPage, comparePage, backfillPage, testPage, taskPage],
  ...[destinationsPage, probePage, resumePage, resumeQueuePage, jobsPage, ratesPage, importRatesPage],
  ...[eventsPage, endpointPage, eventPage],
  ...[activityPage, activityCsv, livePage],
  ...[accountPage, passwordPage, ownSessionsPage, ...factorPages, peoplePage, personPage, ...personVerbs],
  languagePage,
];

/** Every page that needs no session: the ways to one. */
export const openPages: readonly OpenPage[] = [signInPage, secondStepPage, setupPage, choosePasswordPage, enterPage, ...oidcPages];

export type FoundPage = { page: Page; url: URL; params: Record<string, string> };

/** The page at an address of this host; null: none that lives. */
export function pageAt(pages: readonly Page[], address: string): FoundPage | null {
  const url = URL.parse(address, 'http://console');
  if (url === null || url.origin !== 'http://console') return null;
  const path = url.pathname.replace(/^\/console(?=\/|$)/, '') || '/';
  for (const page of pages) {
    const params = paramsOf(page.path, path);
    if (params !== null) return page.get === undefined ? null : { page, url, params };
  }
  return null;
}

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const [want, have] = [pattern.split('/'), path.split('/')];
  if (want.length !== have.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of want.entries()) {
    const value = have[i] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return null;
      continue;
    }
    const decoded = decodedOf(value);
    if (decoded === null) return null;
    params[part.slice(1)] = decoded;
  }
  return params;
}

function decodedOf(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
