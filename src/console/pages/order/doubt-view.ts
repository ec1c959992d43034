import type { Looked } from '../../../operations/orders/look-for-record.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { Words } from '../../words/words.ts';
import { numberOf } from '../orders/number-of.ts';
import { clockText } from './clock.ts';
import { choice, textField, type VerbOf, verbForm } from './verbs-view.ts';

type Doubt = { looked: Looked | null; mayAct: boolean };

/** The box of an order of which nobody knows whether it is recorded. `looked`: what looking for its record found. */
export function doubtView(of: VerbOf, { looked, mayAct }: Doubt): Html {
  const { sheet, words } = of;
  const { doubt } = words.order;
  const { inDoubt, report } = sheet;
  if (inDoubt === null) return nothing;
  const at = clockText(inDoubt.at, words);
  const what = inDoubt.kind === 'create' ? doubt.created(at, numberOf(report)) : doubt.deleted(at, inDoubt.complianceId ?? '');
  return html`<section class="banner attention" id="doubt"><h2>${doubt.title}</h2>
<p>${what}</p>
${report.refusal === null ? nothing : html`<p>${doubt.refused(report.refusal)}</p>\n`}${looked === null ? nothing : html`<p role="status"><strong>${lookedWords(looked, words)}</strong></p>\n`}${mayAct ? forms(of, looked) : nothing}</section>`;
}

function forms(of: VerbOf, looked: Looked | null): Html {
  const { doubt, verbs } = of.words.order;
  const ways = [
    ['yes', doubt.found],
    ['no', doubt.notFound],
  ] as const;
  const known = of.sheet.inDoubt?.complianceId ?? (looked?.is === 'found' ? looked.id : '');
  const typed: Record<string, string> = {
    recorded: known,
    ...(looked === null ? {} : { found: looked.is === 'found' ? 'yes' : looked.is === 'none' ? 'no' : '' }),
  };
  const filled: VerbOf = of.sent?.verb === 'resolve' ? of : { ...of, sent: { verb: 'resolve', typed, problem: 'none' } };
  return html`${verbForm(of, 'look', html`<div class="verbs"><button class="second">${doubt.look}</button></div>`)}${verbForm(
    of,
    'resolve',
    html`${choice(filled, { verb: 'resolve', name: 'found', legend: doubt.title, ways })}
${textField(filled, { verb: 'resolve', name: 'recorded', label: verbs.recordedId })}
${textField(filled, { verb: 'resolve', name: 'note', label: verbs.note })}
<div class="verbs"><button>${doubt.say}</button></div>`,
  )}`;
}

function lookedWords(looked: Looked, { order: { doubt } }: Words): string {
  switch (looked.is) {
    case 'found':
      return doubt.looked.found(looked.id);
    case 'several':
      return doubt.looked.several(looked.ids.join(', '));
    case 'none':
      return doubt.looked.none;
    case 'unlisted':
      return doubt.looked.unlisted;
  }
}
