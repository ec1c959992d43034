import { account } from './en/account.ts';
import { activity } from './en/activity.ts';
import { destinations } from './en/destinations.ts';
import { done } from './en/done.ts';
import { entry } from './en/entry.ts';
import { frame } from './en/frame.ts';
import { invitations } from './en/invitations.ts';
import { issues } from './en/issues.ts';
import { month } from './en/month.ts';
import { months } from './en/months.ts';
import { order } from './en/order.ts';
import { orders } from './en/orders.ts';
import { people } from './en/people.ts';
import { rates } from './en/rates.ts';
import { records } from './en/records.ts';
import { review } from './en/review.ts';
import { runs } from './en/runs.ts';
import { start } from './en/start.ts';
import { store } from './en/store.ts';
import { stores } from './en/stores.ts';
import { tasks } from './en/tasks.ts';
import { today } from './en/today.ts';

/** The words of the pages in English: what `bg.ts` must say, too. */
export const en = {
  lang: 'en' as 'en' | 'bg',
  frame,
  done,
  activity,
  today,
  months,
  month,
  entry,
  account,
  people,
  review,
  issues,
  runs,
  order,
  orders,
  destinations,
  stores,
  invitations,
  store,
  start,
  tasks,
  records,
  rates,
};
