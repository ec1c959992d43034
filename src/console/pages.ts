import type { Page } from './base/page.ts';
import { accountPage, ownSessionsPage, passwordPage } from './pages/account/account-page.ts';
import { activityCsv, activityPage } from './pages/activity/activity-page.ts';
import { probePage, resumePage, resumeQueuePage } from './pages/destinations/destination-acts.ts';
import { destinationsPage } from './pages/destinations/destinations-page.ts';
import { invitationVerbs } from './pages/invitations/invitation-verbs.ts';
import { invitationsPage } from './pages/invitations/invitations-page.ts';
import { languagePage } from './pages/language.ts';
import { livePage } from './pages/live/live-page.ts';
import { monthPages } from './pages/months/month-page.ts';
import { monthsPage } from './pages/months/months-page.ts';
import { buyerPages } from './pages/order/buyer-pages.ts';
import { orderPage } from './pages/order/order-page.ts';
import { orderVerbs } from './pages/order/order-verbs.ts';
import { recordsPage } from './pages/order/records-page.ts';
import { askStorePage } from './pages/orders/ask-store.ts';
import { ordersCsv, ordersPage } from './pages/orders/orders-page.ts';
import { peoplePage } from './pages/people/people-page.ts';
import { personPage, personVerbs } from './pages/people/person-page.ts';
import { importRatesPage, ratesPage } from './pages/rates/rates-page.ts';
import { recordPage } from './pages/records/record-page.ts';
import { deskPage } from './pages/review/desk-page.ts';
import { hostsPage } from './pages/review/hosts-page.ts';
import { proposalPages } from './pages/review/proposal-pages.ts';
import { reviewPage } from './pages/review/review-page.ts';
import { webhookPage, webhooksPage } from './pages/review/webhooks-page.ts';
import { runPage } from './pages/runs/run-page.ts';
import { disconnectPage } from './pages/store/disconnect-page.ts';
import { keysPage } from './pages/store/keys-page.ts';
import { secretPage } from './pages/store/secret-page.ts';
import { settingsPage } from './pages/store/settings/settings-page.ts';
import { startPage } from './pages/store/start-page.ts';
import { hostPage, replayPage, storeWebhooksPage } from './pages/store/store-acts.ts';
import { storePage } from './pages/store/store-page.ts';
import { backfillPage } from './pages/store/tasks/backfill-page.ts';
import { comparePage } from './pages/store/tasks/compare-page.ts';
import { readNowPage } from './pages/store/tasks/read-now.ts';
import { taskPage } from './pages/store/tasks/task-page.ts';
import { testPage } from './pages/store/tasks/test-page.ts';
import { storesPage } from './pages/stores/stores-page.ts';
import { todayPage } from './pages/today/today-page.ts';

/** Every page of the console, by its address. */
export const pages: readonly Page[] = [
  todayPage,
  ...[ordersPage, ordersCsv, askStorePage, orderPage, ...orderVerbs, ...buyerPages, recordsPage, recordPage],
  ...[reviewPage, webhooksPage, webhookPage, hostsPage, deskPage, ...proposalPages, runPage],
  ...[monthsPage, ...monthPages],
  ...[storesPage, invitationsPage, ...invitationVerbs],
  ...[storePage, storeWebhooksPage, replayPage, hostPage, settingsPage, secretPage, keysPage, startPage, disconnectPage],
  ...[readNowPage, comparePage, backfillPage, testPage, taskPage],
  ...[destinationsPage, probePage, resumePage, resumeQueuePage, ratesPage, importRatesPage],
  ...[activityPage, activityCsv, livePage],
  ...[accountPage, passwordPage, ownSessionsPage, peoplePage, personPage, ...personVerbs],
  languagePage,
];
