import { askedGroups } from '../../../operations/desk/asked-group.ts';
import { listProposals } from '../../../operations/desk/proposals.ts';
import { unknownHosts, unreadableWebhooks } from '../../../operations/desk/waiting-webhooks.ts';
import type { Page } from '../../base/page.ts';
import { live } from '../../frame/parts.ts';
import { reviewList } from './review-list.ts';

/** `GET /console/review`: everything that waits for a person, as questions. */
export const reviewPage: Page = {
  path: '/review',
  right: 'orders.see',
  async get({ deps, words, person }) {
    const seen = { shops: person.shops };
    const [groups, webhooks, hosts, proposals] = await Promise.all([
      askedGroups(deps, seen),
      unreadableWebhooks(deps, seen),
      unknownHosts(deps, seen),
      listProposals(deps, seen),
    ]);
    return { title: words.review.title, place: 'review', body: live('review', reviewList({ groups, webhooks, hosts, proposals }, words, person)) };
  },
};
