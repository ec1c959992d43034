import type { Form } from '../../../console/base/page.ts';
import { tag } from '../../../console/frame/parts.ts';
import type { MappingAnswers, MappingProblem } from '../../../operations/onboarding/answer-mapping.ts';
import type { Basis, GatewayRow, OnDelivery, Questions, RateRow, StatusRow } from '../../../operations/onboarding/mapping-questions.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Words } from '../../words/words.ts';

type Asked = { questions: Questions; problems: readonly MappingProblem[]; words: Words };

/** What must be said, and what is certain: one question for each rate and payment method. */
export function mappingFields({ questions, problems, words }: Asked): Html {
  const { mapping: say } = words;
  const { rates, gateways, statuses, onDelivery } = questions;
  const problemOf = (of: MappingProblem['of'], id: string) => problems.find((one) => one.of === of && one.id === id);
  const rateFields = rates.map((row, i) => rateField({ row, i, problem: problemOf('rate', row.rate), words }));
  const gatewayFields = gateways.map((row, i) => gatewayField({ row, i, problem: problemOf('gateway', row.id), words }));
  return html`${headed(say.rates, rateFields)}${headed(say.payments, gatewayFields)}${onDelivery === null ? nothing : onDeliveryField(onDelivery, problemOf('on-delivery', ''), words)}${statuses.length === 0 ? nothing : statusFields(statuses, words)}`;
}

function headed(title: string, fields: readonly Html[]): Html {
  return fields.length === 0 ? nothing : html`<h2>${title}</h2>\n${lines(fields)}\n`;
}

/** The answers of such a form. */
export function answersOf(form: Form): MappingAnswers {
  const [rates, groups] = [form.all('rate'), form.all('group')];
  const [ids, types, processors] = [form.all('gateway'), form.all('type'), form.all('processor')];
  const onDelivery = new Set(form.all('on-delivery'));
  return {
    rates: rates.map((rate, i) => ({ rate, group: groups[i] ?? '' })),
    gateways: ids.map((id, i) => ({ id, type: types[i] ?? '', processor: (processors[i] ?? '').trim(), isOnDelivery: onDelivery.has(id) })),
    paidStatuses: form.all('paid-status'),
    codPaidWhen: form.text('cod-paid'),
  };
}

/** The questions with answers that were not taken. */
export function withAnswers(questions: Questions, { rates, gateways, paidStatuses, codPaidWhen }: MappingAnswers): Questions {
  const group = new Map(rates.map((one) => [one.rate, one.group]));
  const answered = new Map(gateways.map((one) => [one.id, one]));
  // A method that was ticked just now raises this question.
  const raised = gateways.some(({ isOnDelivery }) => isOnDelivery) ? ({ paidWhen: 'completed', orders: 0 } as const) : null;
  const onDelivery = questions.onDelivery ?? raised;
  const paidWhen = codPaidWhen === 'completed' || codPaidWhen === 'processing' ? codPaidWhen : onDelivery?.paidWhen;
  return {
    onDelivery: onDelivery === null || paidWhen === undefined ? null : { ...onDelivery, paidWhen },
    rates: questions.rates.map((row) => ({ ...row, group: group.get(row.rate) ?? row.group })),
    gateways: questions.gateways.map((row) => ({ ...row, ...answered.get(row.id) })),
    statuses: questions.statuses.map((row) => ({ ...row, isPaid: paidStatuses.includes(row.id) })),
  };
}

const tones = { known: 'ok', said: 'ok', asked: 'attention' } as const;

function basisTag(basis: Basis, { mapping: say }: Words): Html {
  return tag(basis === 'asked' ? say.confirm : say[basis], tones[basis]);
}

type Row<Of> = { row: Of; i: number; problem: MappingProblem | undefined; words: Words };

function rateField({ row: { rate, group, basis, orders }, i, problem, words }: Row<RateRow>): Html {
  const { mapping: say } = words;
  const about = html`${say.rate(rate)} <span class="soft">${say.seen(orders)}</span> ${basisTag(basis, words)}`;
  if (basis === 'known') return html`<p>${about}<br>${say.groups[group] ?? group}</p>`;
  const id = `rate-${i}`;
  return html`<fieldset><legend>${about}</legend><input type="hidden" name="rate" value="${rate}">
${select({ id, name: 'group', label: say.group, value: group, options: say.groups, choose: say.choose })}${problemView(problem, words)}</fieldset>`;
}

function gatewayField({ row, i, problem, words }: Row<GatewayRow>): Html {
  const { mapping: say } = words;
  const { id: gateway, title, type, processor, basis, orders, isOnDelivery } = row;
  const about = html`${title ?? gateway}${title === null || title === gateway ? nothing : html` <code>${gateway}</code>`} <span class="soft">${say.seen(orders)}</span> ${basisTag(basis, words)}`;
  if (basis === 'known') return html`<p>${about}<br>${[say.types[type] ?? type, processor].filter((part) => part !== '').join(': ')}</p>`;
  const id = `payment-${i}`;
  const described = attributes({ 'aria-describedby': `${id}-hint` });
  return html`<fieldset><legend>${about}</legend><input type="hidden" name="gateway" value="${gateway}">
${select({ id, name: 'type', label: say.type, value: type, options: say.types, choose: say.choose })}
<details${attributes({ open: processor !== '' || problem !== undefined })}><summary>${say.processor}</summary><div class="field"><label class="unseen" for="${id}-processor">${say.processor}</label><p class="hint" id="${id}-hint">${say.processorHint}</p><input id="${id}-processor" name="processor" value="${processor}" autocomplete="off"${described}></div></details>
<p><label><input type="checkbox" name="on-delivery" value="${gateway}"${attributes({ checked: isOnDelivery })}> ${say.onDelivery}</label></p>${problemView(problem, words)}</fieldset>`;
}

function problemView(problem: MappingProblem | undefined, { mapping: say }: Words): Html {
  return problem === undefined ? nothing : html`<p class="problem" role="alert">${say.problems[problem.problem]}</p>`;
}

type Select = { id: string; name: string; label: string; value: string; options: Readonly<Record<string, string>>; choose: string };

function select({ id, name, label, value, options, choose }: Select): Html {
  // A value that is none of the choices stays one: another compliance service may take it.
  const all = Object.entries(value === '' || value in options ? options : { ...options, [value]: value });
  const option = ([key, text]: readonly [string, string]) => html`<option value="${key}"${attributes({ selected: key === value })}>${text}</option>`;
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${option(['', choose])}${all.map(option)}</select></div>`;
}

function onDeliveryField({ paidWhen, orders }: OnDelivery, problem: MappingProblem | undefined, words: Words): Html {
  const { onDeliveryWhen: say } = words.mapping;
  const one = (value: OnDelivery['paidWhen']) =>
    html`<p><label><input type="radio" name="cod-paid" value="${value}"${attributes({ checked: paidWhen === value })}> ${say[value]}</label></p>`;
  return html`<fieldset><legend>${say.title}</legend>${problemView(problem, words)}<p class="hint">${say.hint(orders)}</p>
${one('completed')}
${one('processing')}</fieldset>
`;
}

function statusFields(statuses: readonly StatusRow[], { mapping: say }: Words): Html {
  const box = ({ id, name, orders, isPaid }: StatusRow) =>
    html`<p><label><input type="checkbox" name="paid-status" value="${id}"${attributes({ checked: isPaid })}> ${say.paid(name ?? id, orders)}</label></p>`;
  return html`<fieldset><legend>${say.statuses}</legend><p class="hint">${say.statusesHint}</p>
${lines(statuses.map(box))}</fieldset>
`;
}
