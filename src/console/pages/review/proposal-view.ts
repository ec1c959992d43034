import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import type { Chosen } from '../../../operations/review/chosen-settings.ts';
import type { Issue } from '../../../operations/review/open-issue.ts';
import type { Proposal } from '../../../operations/review/proposals.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { chosenWords } from './choice-form.ts';

/** What somebody proposed on an issue, and what may be done about it. */
export function proposalView({ proposal, issue, person }: { proposal: Proposal; issue: Pick<Issue, 'chosen'>; person: Person }, words: Words): Html {
  const { proposal: say } = words.review;
  const { is, by, at, note, ended } = proposal;
  const what = answersOf(proposal, words);
  if (is === 'declined' && ended !== null) return past(html`${say.declined(ended.by, by, what)} ${when(ended.at, words)}${quoted(ended.reason, say.quote)}`);
  if (is === 'accepted' && ended !== null) return past(html`${say.accepted(ended.by, by, what)} ${when(ended.at, words)}`);
  if (is !== 'open' && is !== 'changed') return nothing;
  const mayDecide = may(person.role, 'settings.change');
  return html`<section class="banner attention"><h2>${say.title(by)}</h2>
<p><strong>${what}</strong> ${when(at, words)}${quoted(note, say.quote)}</p>
${is === 'changed' ? html`<p class="problem">${say.changed(answersOf(issue, words))}</p>\n` : nothing}${
  mayDecide ? verbs(proposal, words) : html`<p class="soft">${say.waits}</p>`
}</section>`;
}

function past(words: Html): Html {
  return html`<p class="soft">${words}</p>`;
}

function quoted(text: string, quote: (text: string) => string): Html {
  return text === '' ? nothing : html` ${quote(text)}`;
}

/** “borica_pos”: Card, 12 */
export function answersOf({ chosen }: Pick<Proposal, 'chosen'>, words: Words): string {
  return chosen.map((one) => chosenWords(one, words, settingWords(one.setting, words))).join('; ');
}

function settingWords(setting: Chosen['setting'], { review: { choice, proposal } }: Words): string {
  switch (setting.of) {
    case 'payment':
      return proposal.quote(setting.gateway);
    case 'vat':
      return `${setting.rate} %`;
    case 'contained-vat':
      return choice.containedLabel;
    case 'gift-cards':
      return choice.cardsLabel;
  }
}

/** What a decision about a proposal is made from. */
export function asSeen({ id, is }: Pick<Proposal, 'id' | 'is'>): unknown {
  return [id, is];
}

function verbs(proposal: Proposal, words: Words): Html {
  const { proposal: say, check } = words.review;
  const form = (verb: string, body: Html, press: Html) =>
    formTo(`/console/proposals/${proposal.id}`, { seen: asSeen(proposal), hidden: { verb }, body, buttons: [press] });
  const accept = form('accept', html`<p class="soft">${say.acceptLead}</p>`, button(`${say.accept} ${check}`, { 'data-key': 'r' }));
  return html`${proposal.is === 'open' ? accept : nothing}
<details><summary>${say.decline}</summary>
${form('decline', field({ name: 'reason', label: say.reason, required: true }), button(say.declineNow, { class: 'second' }))}</details>`;
}

/** The answer of somebody who may not give it themselves. */
export function proposeForm({ issue, fields, elsewhere }: { issue: Issue; fields: Html; elsewhere: Html }, words: Words): Html {
  const { proposal: say } = words.review;
  const body = html`${fields}
${elsewhere}${field({ name: 'note', label: say.note })}
<p class="soft">${say.lead}</p>`;
  const buttons = [button(say.propose, { 'data-key': 'r' })];
  return formTo(`/console/review/${issue.group.id}/propose`, { class: 'card issue', seen: issue.chosen, body, buttons });
}
