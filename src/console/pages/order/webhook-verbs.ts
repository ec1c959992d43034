import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { VerbOf } from './verbs-view.ts';

/** What may be done about a kept webhook: it is read again; its body holds the buyer. */
export function webhookVerbs({ sheet, words }: VerbOf, role: Person['role']): (delivery: string) => Html {
  const { event } = words.order;
  const verb = (delivery: string, path: string, name: string) =>
    html`<form method="post" action="/console/orders/${sheet.report.id}/${path}"><input type="hidden" name="delivery" value="${delivery}"><button class="plain">${name}</button></form>`;
  return (delivery) =>
    html`<span class="small">${verb(delivery, 'replay', event.replay)}${may(role, 'buyers.see') ? verb(delivery, 'body', event.body) : nothing}</span>`;
}
