import { type Lang, messages } from '../../contract/messages.ts';
import { account } from './account.ts';
import { activity } from './activity.ts';
import { bulkActions } from './bulk-actions.ts';
import { counts } from './counts.ts';
import { destinations, jobs } from './destinations.ts';
import { done } from './done.ts';
import { entry } from './entry.ts';
import { events } from './events.ts';
import { factor } from './factor.ts';
import { find } from './find.ts';
import { frame } from './frame.ts';
import { invitations } from './invitations.ts';
import { issues } from './issues.ts';
import { month } from './month.ts';
import { months } from './months.ts';
import { order } from './order.ts';
import { orders } from './orders.ts';
import { people } from './people.ts';
import { rates } from './rates.ts';
import { records } from './records.ts';
import { review } from './review.ts';
import { start } from './start.ts';
import { store } from './store.ts';
import { stores } from './stores.ts';
import { tasks } from './tasks.ts';
import { today } from './today.ts';
import { webhooks } from './webhooks.ts';

const all = messages({
  lang: { en: 'en' as Lang, bg: 'bg' as Lang },
  frame,
  done,
  find,
  activity,
  today,
  months,
  month,
  entry,
  account,
  factor,
  people,
  review,
  issues,
  bulkActions,
  counts,
  order,
  orders,
  destinations,
  stores,
  invitations,
  jobs,
  events,
  store,
  start,
  tasks,
  records,
  rates,
  webhooks,
});

/** All that pages say. */
export type Words = (typeof all)[Lang];

export function wordsIn(lang: Lang): Words {
  return all[lang];
}
