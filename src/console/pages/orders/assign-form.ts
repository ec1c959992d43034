import type { Connection } from '../../../bridge/connections/connection.ts';
import type { AssignedOrder, Assignment } from '../../../bridge/ledger/review/assignment-store.ts';
import { dayName } from '../../../contract/local-text.ts';
import { may } from '../../../operations/people/rights.ts';
import { assignableOrder, assignees, SNOOZES } from '../../../operations/review/assign.ts';
import type { IssueGroup } from '../../../operations/review/issue-group.ts';
import { sofiaDay } from '../../../service/law/calendar.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { PageContext } from '../../base/page.ts';
import { tag } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';

/** What a form of it is made from. */
export function keptOf({ person, note, snoozedUntil }: Assignment): Assignment {
  return { person, note, snoozedUntil };
}

/** `latest`: until when it may be snoozed. */
type Shown = { to: string; now: Assignment; latest: string; connection: Pick<Connection, 'shopId'> };

/** Who looks after it, folded until it is pressed. */
export async function assignForm(context: PageContext, { to, now, latest, connection }: Shown): Promise<Html> {
  const { assign: say } = context.words.review;
  const people = (await assignees(context.deps, connection)).map(({ id, name, email }) => [id, name === '' ? email : name] as const);
  const isLate = latest <= sofiaDay(context.deps.now().toISOString());
  const snooze = html`${field({ name: 'snooze', label: say.snooze, value: now.snoozedUntil === null ? '' : 'day', none: say.no, options: SNOOZES.map((how) => [how, say.snoozes[how]]) })}
${field({ name: 'day', label: say.day, type: 'date', value: now.snoozedUntil ?? '', hint: say.latest(dayName(latest, context.words.lang)) })}`;
  const body = html`${field({ name: 'person', label: say.who, value: now.person ?? '', none: say.nobody, options: people })}
${field({ name: 'note', label: say.note, value: now.note, more: { maxlength: 1000 } })}
${isLate ? nothing : snooze}`;
  const buttons = [button(say.verb, { class: 'second' }), button(say.me, { class: 'second', name: 'me', value: '1' })];
  return html`<details class="form"><summary>${say.title}</summary>
${formTo(to, { seen: keptOf(now), body, buttons })}</details>`;
}

/** Who looks after an order, and the form of that for who may say so; nothing if nobody is asked about it. */
export async function assignOrderPart(context: PageContext, { id, shopId }: { id: number; shopId: string }): Promise<Html> {
  const assignable = await assignableOrder(context.deps, id);
  if (assignable === null) return nothing;
  const { was, found, latest } = assignable;
  const mayAssign = may(context.person.role, 'orders.decide');
  const form = mayAssign ? await assignForm(context, { to: `/console/orders/${id}/assign`, now: was, latest, connection: { shopId } }) : nothing;
  if (found === null) return form;
  const tags = assignedTags(ofOrder(found, sofiaDay(context.deps.now().toISOString())), context.words);
  return html`<p>${found.name === null ? nothing : html`${context.words.review.assign.who}:`}${tags}</p>\n${form}`;
}

type AssignedTo = { assigned: Pick<IssueGroup['assigned'], 'name' | 'note' | 'apartUntil'> } & Pick<IssueGroup, 'others' | 'snoozed'>;

/** Of one order, by itself or with its issue. */
export function ofOrder({ name, note, snoozedUntil: until }: Pick<AssignedOrder, 'name' | 'note' | 'snoozedUntil'>, today: string): AssignedTo {
  return { assigned: { name, note, apartUntil: until !== null && until > today ? until : null }, others: [], snoozed: 0 };
}

/** Who looks after it, and until when it is snoozed, in lists. */
export function assignedTags({ assigned: { name, note, apartUntil }, others, snoozed }: AssignedTo, words: Words): Html {
  const { assign: say } = words.review;
  const until =
    apartUntil !== null
      ? html` ${tag(say.until(dayName(apartUntil, words.lang)), 'quiet')}`
      : snoozed === 0
        ? nothing
        : html` ${tag(say.some(snoozed), 'quiet')}`;
  const names = new Set([name, ...others.map((one) => one.name)].filter((one) => one !== null));
  return html`${[...names].map((one) => html` ${tag(one, 'quiet')}`)}${until}${note === '' ? nothing : html` <span class="soft">${note}</span>`}`;
}
