import type { OrderSheet } from '../../../operations/sheets/order-sheet.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { choice, textField, type VerbOf, verbForm } from './verbs-view.ts';

/** The verb of the order's state: what a person can do about it now, the first thing first. */
export function verbsView(of: VerbOf): Html {
  const { report } = of.sheet;
  const code = report.review?.code ?? null;
  if (code === 'order.other') return apart(of);
  const records = code === 'record.doubled' ? doubled(of) : nothing;
  const removal = of.sheet.may.has('kept') ? askRemoval(of) : nothing;
  return html`${records}${removal}${release(of)}${code === 'compliance.conflict' ? apart(of) : nothing}${settle(of)}${of.sheet.isAnew ? again(of) : nothing}`;
}

/** Is there anything to decide? */
export function hasVerbs({ report, may, isAnew }: OrderSheet): boolean {
  return isAnew || report.state === 'review' || report.settled?.counts === true || may.size > 0;
}

function release(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const { state, settled } = of.sheet.report;
  if (state === 'review') {
    return verbForm(
      of,
      'release',
      html`<div class="verbs"><button data-key="r">${verbs.release}</button> <a class="verb second" href="/console/review${of.sheet.group === null ? '' : `/${of.sheet.group}`}">${verbs.desk}</a> <span class="hint">${verbs.releaseHint}</span></div>`,
    );
  }
  const isSaid = settled?.counts === true && (state === 'settled' || state === 'recorded' || state === 'removed');
  return isSaid ? verbForm(of, 'release', html`<div class="verbs"><button class="second" data-key="r">${verbs.takeBack}</button></div>`) : nothing;
}

function settle(of: VerbOf): Html {
  const { sheet, sent, words } = of;
  const { verbs } = words.order;
  const all = [
    ['recorded', verbs.recordedThere],
    ['not-a-sale', verbs.notASale],
    ['elsewhere', verbs.elsewhere],
    // Of one that asks for it, it is a question of its own.
    ['removed', verbs.removed],
  ] as const;
  const ways = all.filter(([how]) => sheet.may.has(how) && !(how === 'removed' && sheet.may.has('kept')));
  if (ways.length === 0) return nothing;
  const form = verbForm(
    of,
    'settle',
    html`<p class="hint">${verbs.settleHint}</p>
${choice(of, { verb: 'settle', name: 'how', legend: verbs.how, ways })}
${textField(of, { verb: 'settle', name: 'recorded', label: verbs.recordedId })}
${textField(of, { verb: 'settle', name: 'note', label: verbs.note })}
<div class="verbs"><button class="second">${verbs.settleNow}</button></div>`,
  );
  return html`<details class="card"${attributes({ open: sent?.verb === 'settle' })}><summary>${verbs.settle}</summary>
${form}</details>`;
}

/** It was recorded with other settings than today's: said as what it is, a delete and a create. */
function again(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const form = verbForm(
    of,
    'again',
    html`<p>${verbs.againHint}</p>
${textField(of, { verb: 'again', name: 'note', label: verbs.note })}
<div class="verbs"><button class="danger">${verbs.againNow}</button></div>`,
  );
  return html`<details class="card"${attributes({ open: of.sent?.verb === 'again' })}><summary>${verbs.again}</summary>
${form}</details>`;
}

/** A cancelled order whose refund was not seen. */
function askRemoval(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const ways = [
    ['kept', verbs.kept],
    ['removed', verbs.removed],
  ] as const;
  const content = html`${choice(of, { verb: 'removal', name: 'how', legend: verbs.removal, ways })}
${textField(of, { verb: 'removal', name: 'note', label: verbs.note })}
<div class="verbs"><button>${verbs.settleNow}</button></div>`;
  return html`<section class="banner attention">${verbForm(of, 'removal', content)}</section>`;
}

/** It is recorded twice: the records have a page of their own. */
function doubled({ sheet, words }: VerbOf): Html {
  const { records: say } = words.order;
  return html`<section class="banner attention"><p>${say.twice}</p><p class="verbs"><a class="verb" href="/console/orders/${sheet.report.id}/records">${say.look}</a></p></section>`;
}

/** An order that came under the id of another one, or whose id another one's record has. */
function apart(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const isOther = of.sheet.report.review?.code === 'order.other';
  const content = html`<h2>${verbs.apart}</h2><p class="hint">${verbs.apartHint}</p>
<div class="verbs"><button name="how" value="other">${verbs.other}</button>${isOther ? html` <button name="how" value="same" class="second">${verbs.same}</button>` : nothing}</div>`;
  return html`<section class="banner attention">${verbForm(of, 'apart', content)}</section>`;
}
