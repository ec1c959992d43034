import { account } from './bg/account.ts';
import { activity } from './bg/activity.ts';
import { destinations } from './bg/destinations.ts';
import { done } from './bg/done.ts';
import { entry } from './bg/entry.ts';
import { frame } from './bg/frame.ts';
import { invitations } from './bg/invitations.ts';
import { issues } from './bg/issues.ts';
import { month } from './bg/month.ts';
import { months } from './bg/months.ts';
import { order } from './bg/order.ts';
import { orders } from './bg/orders.ts';
import { people } from './bg/people.ts';
import { rates } from './bg/rates.ts';
import { records } from './bg/records.ts';
import { review } from './bg/review.ts';
import { runs } from './bg/runs.ts';
import { start } from './bg/start.ts';
import { store } from './bg/store.ts';
import { stores } from './bg/stores.ts';
import { tasks } from './bg/tasks.ts';
import { today } from './bg/today.ts';
import type { en } from './en.ts';

/** The words of the pages in Bulgarian. */
export const bg: typeof en = {
  lang: 'bg',
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
