import { isOfShops, unreadableWebhooks } from '../../../operations/desk/waiting-webhooks.ts';
import { deliveryBody, dismissDelivery, type KeptWebhook, showDelivery } from '../../../operations/orders/kept-webhook.ts';
import { replayDelivery } from '../../../operations/orders/replay-delivery.ts';
import { may } from '../../../operations/people/rights.ts';
import { Refusal } from '../../../operations/refusal.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { live } from '../../frame/parts.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import { webhookList, webhookView } from './webhook-views.ts';

const LIST = '/console/review/webhooks';

/** `GET /console/review/webhooks`: those that can't be read. */
export const webhooksPage: Page = {
  path: '/review/webhooks',
  right: 'orders.see',
  async get({ deps, words, person }) {
    const webhooks = await unreadableWebhooks(deps, { shops: person.shops });
    return { title: words.review.webhooks.title, place: 'review', body: live('webhooks', webhookList(webhooks, words)) };
  },
};

/** `/console/review/webhooks/ID`: one of them, and what can be done about it. */
export const webhookPage: Page = {
  path: '/review/webhooks/:id',
  right: 'orders.see',
  get: async (context) => shown(context, await webhookOf(context)),
  post: {
    right: 'orders.decide',
    async act(context, form) {
      const webhook = await webhookOf(context);
      const verb = form.text('verb');
      if (verb === 'body' && may(context.person.role, 'buyers.see')) {
        const body = await deliveryBody(context.deps, { id: webhook.id, by: context.by });
        return shown(context, webhook, { body });
      }
      const { outcomes, replay, dismiss } = context.words.review.webhooks;
      const now = outcomes[webhook.outcome] ?? webhook.outcome;
      mustBeSeen(form, webhook.outcome, { sent: verb === 'replay' ? replay : dismiss, now });
      return verb === 'replay' ? replayed(context, webhook) : dismissed(context, webhook, form);
    },
  },
};

async function webhookOf({ deps, person, req }: PageContext): Promise<KeptWebhook> {
  const webhook = await showDelivery(deps, String(req.params['id']));
  if (await isOfShops(deps, webhook.connectionId, { shops: person.shops })) return webhook;
  throw new Refusal('missing', { en: `no delivery has the id ${webhook.id}`, bg: `няма известие с идентификатор ${webhook.id}` });
}

type More = { body?: Buffer; problem?: string };

function shown({ words, person }: PageContext, webhook: KeptWebhook, more: More = {}): Shown {
  const body = webhookView({ webhook, person, ...more }, words);
  return { title: words.review.webhooks.one, place: 'review', body, ...(more.problem === undefined ? {} : { status: 422 }) };
}

async function replayed({ deps, by }: PageContext, { id }: KeptWebhook): Promise<Reply> {
  const { ignored } = await replayDelivery({ ...deps, by }, id);
  return { goTo: LIST, done: ignored === null ? 'replayed' : 'replayed-ignored' };
}

async function dismissed(context: PageContext, webhook: KeptWebhook, form: Form): Promise<Reply> {
  const why = form.text('why');
  if (why === '') return shown(context, webhook, { problem: context.words.review.webhooks.noteMissing });
  await dismissDelivery(context.deps, { id: webhook.id, by: context.by, why });
  return { goTo: LIST, done: 'dismissed' };
}
