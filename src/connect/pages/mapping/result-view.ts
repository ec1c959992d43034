import { money } from '../../../console/frame/parts.ts';
import type { LookedAt } from '../../../operations/onboarding/look-at-orders.ts';
import { openQuestions, type Questions } from '../../../operations/onboarding/mapping-questions.ts';
import type { Rehearsal } from '../../../operations/onboarding/rehearse.ts';
import { codeWords } from '../../../operations/words/code-words.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Words } from '../../words/words.ts';

/** `proposed`: the same with the answers that are proposed. */
type Result = { looked: LookedAt; rehearsal: Rehearsal; proposed: Rehearsal; questions: Questions; words: Words };

/** What would be recorded of the store's last orders, and what stops the others. */
export function resultView({ looked, rehearsal, proposed, questions, words }: Result): Html {
  const { mapping: say } = words;
  const n = looked.orders.length;
  const open = openQuestions(questions);
  const isNothingAsked = looked.failed === null && questions.rates.length + questions.gateways.length === 0;
  const none = isNothingAsked ? say.nothing : say.none;
  const from = n === 0 ? none : looked.survey === null ? say.fromLedger(n) : say.fromStore(n, looked.days);
  const isMore = proposed.recorded > rehearsal.recorded;
  const proposal = isMore ? ` ${say.proposed(proposed.recorded, proposed.orders, money(proposed.sum, words))}` : '';
  const failed = looked.failed === null ? nothing : html`<div class="banner attention" role="alert"><p>${say.failed[looked.failed]}</p></div>\n`;
  return html`${failed}<p>${from}</p>
${n === 0 ? nothing : counted(rehearsal, words)}${open === 0 ? nothing : html`<p>${say.open(open)}${proposal}</p>\n`}${notes({ looked, rehearsal, questions, words })}`;
}

function counted({ orders, recorded, sum, stopped, leftOut }: Rehearsal, words: Words): Html {
  const { mapping: say, lang } = words;
  const whys: Readonly<Record<string, string>> = { ...say.whys, ...say.otherWhys };
  const result = orders === 0 ? say.resultNone : say.result(recorded, orders, sum === null ? null : money(sum, words));
  const asked = stopped.map(({ code, orders: many, numbers }) => html`<li>${say.stopped(many, codeWords(code, lang).means, numbers.join(', '))}</li>`);
  const others = leftOut.map(({ why, orders: many }) => html`<li>${say.leftOut(many, whys[why] ?? why)}</li>`);
  return html`<p><strong>${result}</strong></p>
${asked.length === 0 ? nothing : html`<ul>${lines(asked)}</ul>\n`}${others.length === 0 ? nothing : html`<details><summary>${say.leftOutTitle}</summary><ul>${lines(others)}</ul></details>\n`}`;
}

/** The store's own settings, only where they matter. */
function notes({ looked: { survey }, rehearsal, questions, words }: Omit<Result, 'proposed'>): Html {
  const { notes: say } = words.mapping;
  const { decimals = null, currency = null, roundAtSubtotal = null, pricesIncludeTax = null } = survey?.store ?? {};
  const ofCents = roundAtSubtotal === true ? say.rounded : say.cents;
  const isUntaxed = survey !== null && survey.rates.length === 0 && questions.rates.some(({ rate, basis }) => rate === '0' && basis === 'asked');
  const all = [
    ...(rehearsal.rounded > 0 ? [ofCents(rehearsal.rounded)] : []),
    ...(decimals !== null && decimals > 2 ? [say.decimals(decimals)] : []),
    ...(currency !== null && currency !== 'EUR' ? [say.currency(currency)] : []),
    // Without a rate the store reckons no tax, whatever its prices are.
    ...(pricesIncludeTax === false && (survey?.rates.length ?? 0) > 0 ? [say.net] : []),
    ...(isUntaxed ? [say.untaxed] : []),
  ];
  return lines(all.map((one) => html`<p class="hint">${one}</p>`));
}
