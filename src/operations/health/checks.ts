import { type Check, type Code, type Codes, checkFailed } from './check.ts';
import { alertCheck, codes as ofAlerts } from './checks/alerts.ts';
import { codes as ofDestinations, outboxJobCheck, pauseCheck, shopCheck } from './checks/destinations.ts';
import { eventCheck, codes as ofEvents } from './checks/events.ts';
import { dashboardCheck, databaseCheck, diskCheck, codes as ofMachine, restartsCheck, restoredCheck, serverCheck } from './checks/machine.ts';
import { networkCheck, codes as ofNetwork } from './checks/network.ts';
import { backlogCheck, codes as ofQueue, queueCheck } from './checks/queue.ts';
import { companyCheck, monthCheck, codes as ofService, rateCheck, refusedMailCheck, serviceCheck, waitingCompanyCheck } from './checks/service.ts';
import { accessCheck, appCheck, codes as ofStores, secretCheck, storeCheck, trialCheck, unreadOrderCheck } from './checks/stores.ts';
import {
  bodyCheck,
  hostCheck,
  codes as ofWebhooks,
  refusalCheck,
  silenceCheck,
  subscriptionCheck,
  unreadWebhookCheck,
  waitingCheck,
} from './checks/webhooks.ts';

/** What needs no database of ours. */
export const besideDatabase: readonly Check[] = [queueCheck, diskCheck, restartsCheck, dashboardCheck];

export const inDatabase: readonly Check[] = [
  ...[databaseCheck, restoredCheck, serverCheck, pauseCheck, shopCheck, secretCheck, appCheck, storeCheck, accessCheck, trialCheck, unreadOrderCheck],
  ...[subscriptionCheck, refusalCheck, silenceCheck, waitingCheck, unreadWebhookCheck, bodyCheck, hostCheck, backlogCheck, monthCheck, outboxJobCheck],
  ...[serviceCheck, rateCheck, companyCheck, waitingCompanyCheck, refusedMailCheck, alertCheck, eventCheck, networkCheck],
];

/** Everything that the health status can name, in the order in which it is told: for status, docs, the label of the gauge, and alerts. */
export const checkCodes = {
  ...checkFailed,
  ...ofMachine,
  ...ofQueue,
  ...ofDestinations,
  ...ofStores,
  ...ofWebhooks,
  ...ofService,
  ...ofAlerts,
  ...ofEvents,
  ...ofNetwork,
};

/** Throws for a code that no check has. */
export function codeOf(code: string): Code {
  const all: Codes = checkCodes;
  const found = all[code];
  if (found === undefined) throw new Error(`no check has the code ${code}`);
  return found;
}
