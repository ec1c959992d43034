import type { Connection } from '../../bridge/connections/connection.ts';
import type { Form } from '../../console/base/page.ts';
import { money, tag } from '../../console/frame/parts.ts';
import { endStep } from '../../operations/onboarding/onboarding.ts';
import { codeWords } from '../../operations/words.ts';
import { attributes } from '../../web/attributes.ts';
import { button, choices, field, formTo, group, hidden, mustBeSeen, Stale, tick } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import { type ConnectContext, type ConnectPage, type ConnectReply, connectionOf, gonePage } from '../base/connect-page.ts';
import { type DryRun, type InspectedStore, runDry, seenIn } from '../base/dry-run.ts';
import { tooOften } from '../base/inspection-limit.ts';
import type { Words } from '../messages/messages.ts';
import {
  answerMapping,
  asProposed,
  type Basis,
  type GatewayRow,
  isAnswered,
  type MappingAnswers,
  type MappingProblem,
  mappingProblems,
  type OnDelivery,
  openQuestions,
  type Questions,
  questionsOf,
  type RateRow,
  type StatusRow,
  settingsText,
} from './mapping-questions.ts';
import { stepLinkForm, stepLinkPage } from './step-link.ts';

const tones = { known: 'ok', said: 'ok', asked: 'attention' } as const;

/** `GET, POST /connect/{token}/mapping`: what rates and payment methods mean, by looking at the store's last orders. */
export const mappingPage: ConnectPage = { path: '/mapping', of: 'mapping', code: 'started', isKept: true, get: show, post: act };

async function show(context: ConnectContext): Promise<ConnectReply> {
  const connection = await connectionOf(context);
  return connection === null ? gonePage(context) : askPage(context, connection, null);
}

type Wrong = { answers: MappingAnswers; problems: MappingProblem[] };

async function askPage(context: ConnectContext, connection: Connection, wrong: Wrong | null): Promise<ConnectReply> {
  const { deps, words, base, req, scope } = context;
  const { mapping: say } = words;
  const again = req.query['inspect'] === 'again';
  const often = again ? tooOften(context) : null;
  if (often !== null) return often;
  const inspected = await deps.inspections.of(deps, connection, { again });
  const asked = questionsOf(connection, inspected.inspection, seenIn(inspected.orders));
  const questions = wrong === null ? asked : withAnswers(asked, wrong.answers);
  const dryRun = runDry(inspected.orders, connection);
  const proposed = runDry(inspected.orders, asProposed(connection, asked));
  const saved = req.query['saved'] === '1' ? html`<div class="banner ok" role="status"><p>${say.saved}</p></div>\n` : nothing;
  const fields = html`${mappingFields({ questions, problems: wrong?.problems ?? [], words })}
<p class="hint">${say.later}</p>`;
  return {
    status: wrong === null ? 200 : 422,
    title: say.title,
    body: html`${saved}${wrong === null ? nothing : html`<p class="problem" role="alert">${say.wrong}</p>\n`}${resultView({ inspected, dryRun, proposed, questions: asked, words })}<p><a href="${base}/mapping?inspect=again">${say.again}</a></p>
${formTo(`${base}/mapping`, { seen: settingsText(connection.settings), body: fields, buttons: [button(isOnboarding(context) ? say.save : say.saveAlone, { name: 'act', value: 'save' })] })}${scope.kind === 'all' ? stepLinkForm(context, { step: 'mapping', title: say.accountant, body: say.accountantBody }) : nothing}${scope.kind === 'step' || isOnboarding(context) ? nothing : html`<p><a href="${base}/status">${words.steps.back}</a></p>`}`,
  };
}

async function act(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const connection = await connectionOf(context);
  if (connection === null) return gonePage(context);
  const { mapping: say } = context.words;
  return form.text('act') === 'link' && context.scope.kind === 'all'
    ? stepLinkPage(context, { step: 'mapping', title: say.accountant, once: say.linkOnce })
    : save(context, connection, form);
}

/** The next step is yet to come. */
function isOnboarding({ scope, onboarding }: ConnectContext): boolean {
  return scope.kind === 'all' && onboarding.startedAt === null;
}

async function save(context: ConnectContext, connection: Connection, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, words, by, base } = context;
  const { mapping: say } = words;
  const answers = answersOf(form);
  const problems = mappingProblems(answers);
  if (problems.length > 0) return askPage(context, connection, { answers, problems });
  const mustBe = (text: string) => mustBeSeen(form, text, { sent: say.changed, now: say.now });
  try {
    await answerMapping(deps, connection, { answers, by, mustBe });
  } catch (thrown) {
    // Pressed twice: what they answered is what is there.
    const now = thrown instanceof Stale ? await connectionOf(context) : null;
    if (now === null || !isAnswered(now, answers)) throw thrown;
  }
  await endStep(deps, onboarding, 'mapping');
  return { goTo: isOnboarding(context) ? `${base}/trial` : `${base}/mapping?saved=1` };
}

/** What must be said, and what is certain: one question for each rate and payment method. */
function mappingFields({ questions, problems, words }: { questions: Questions; problems: readonly MappingProblem[]; words: Words }): Html {
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

function answersOf(form: Form): MappingAnswers {
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
function withAnswers(questions: Questions, { rates, gateways, paidStatuses, codPaidWhen }: MappingAnswers): Questions {
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

function basisTag(basis: Basis, { mapping: say }: Words): Html {
  return tag(basis === 'asked' ? say.confirm : say[basis], tones[basis]);
}

type Row<Of> = { row: Of; i: number; problem: MappingProblem | undefined; words: Words };

function rateField({ row: { rate, group: chosen, basis, orders }, i, problem, words }: Row<RateRow>): Html {
  const { mapping: say } = words;
  const about = html`${say.rate(rate)} <span class="soft">${say.seen(orders)}</span> ${basisTag(basis, words)}`;
  if (basis === 'known') return html`<p>${about}<br>${say.groups[chosen] ?? chosen}</p>`;
  const id = `rate-${i}`;
  const groupField = field({
    id,
    name: 'group',
    label: say.group,
    value: chosen,
    options: say.groups,
    none: say.choose,
    problem: problemWords(problem, words),
  });
  return group({ id: `${id}-of`, legend: about, content: html`${hidden('rate', rate)}${groupField}` });
}

function gatewayField({ row, i, problem, words }: Row<GatewayRow>): Html {
  const { mapping: say } = words;
  const { id: gateway, title, type, processor, basis, orders, isOnDelivery } = row;
  const about = html`${title ?? gateway}${title === null || title === gateway ? nothing : html` <code>${gateway}</code>`} <span class="soft">${say.seen(orders)}</span> ${basisTag(basis, words)}`;
  if (basis === 'known') return html`<p>${about}<br>${[say.types[type] ?? type, processor].filter((part) => part !== '').join(': ')}</p>`;
  const id = `payment-${i}`;
  const of = (which: MappingProblem['problem']) => (problem?.problem === which ? problemWords(problem, words) : null);
  const processorField = field({
    ...{ id: `${id}-processor`, name: 'processor', label: say.processor, hint: say.processorHint, value: processor },
    ...{ autocomplete: 'off', problem: of('nameless') },
  });
  const content = html`${hidden('gateway', gateway)}${field({ id, name: 'type', label: say.type, value: type, options: say.types, none: say.choose, problem: of('unknown') })}
<details${attributes({ open: processor !== '' || type === 'VIRTUAL_POS' || problem !== undefined })}><summary>${say.processor}</summary>${processorField}</details>
${tick({ name: 'on-delivery', value: gateway, label: say.onDelivery, isOn: isOnDelivery })}`;
  return group({ id: `${id}-of`, legend: about, content });
}

function problemWords(problem: MappingProblem | undefined, { mapping: say }: Words): string | null {
  return problem === undefined ? null : say.problems[problem.problem];
}

function onDeliveryField({ paidWhen, orders }: OnDelivery, problem: MappingProblem | undefined, words: Words): Html {
  const { onDeliveryWhen: say } = words.mapping;
  const ways = [['completed', say.completed] as const, ['processing', say.processing] as const];
  return choices({ name: 'cod-paid', legend: say.title, hint: say.hint(orders), ways, chosen: paidWhen, problem: problemWords(problem, words) });
}

function statusFields(statuses: readonly StatusRow[], { mapping: say }: Words): Html {
  const ways = statuses.map(({ id, name, orders }) => [id, say.paid(name ?? id, orders)] as const);
  const chosen = statuses.flatMap(({ id, isPaid }) => (isPaid ? [id] : []));
  return choices({ name: 'paid-status', legend: say.statuses, hint: say.statusesHint, ways, chosen });
}

/** `proposed`: the same with the answers that are proposed. */
type Result = { inspected: InspectedStore; dryRun: DryRun; proposed: DryRun; questions: Questions; words: Words };

/** What would be recorded of the store's last orders, and what stops the others. */
export function resultView({ inspected, dryRun, proposed, questions, words }: Result): Html {
  const { mapping: say } = words;
  const n = inspected.orders.length;
  const open = openQuestions(questions);
  const isNothingAsked = inspected.failed === null && questions.rates.length + questions.gateways.length === 0;
  const none = isNothingAsked ? say.nothing : say.none;
  const from = n === 0 ? none : inspected.inspection === null ? say.fromLedger(n) : say.fromStore(n, inspected.days);
  const isMore = proposed.recorded > dryRun.recorded;
  const proposal = isMore ? ` ${say.proposed(proposed.recorded, proposed.orders, money(proposed.sum, words))}` : '';
  const failed = inspected.failed === null ? nothing : html`<div class="banner attention" role="alert"><p>${say.failed[inspected.failed]}</p></div>\n`;
  return html`${failed}<p>${from}</p>
${n === 0 ? nothing : counted(dryRun, words)}${open === 0 ? nothing : html`<p>${say.open(open)}${proposal}</p>\n`}${notes({ inspected, dryRun, questions, words })}`;
}

function counted({ orders, recorded, sum, stopped, leftOut }: DryRun, words: Words): Html {
  const { mapping: say, lang } = words;
  const whys: Readonly<Record<string, string>> = { ...say.whys, ...say.otherWhys };
  const result = orders === 0 ? say.resultNone : say.result(recorded, orders, sum === null ? null : money(sum, words));
  const asked = stopped.map(({ code, orders: many, numbers }) => html`<li>${say.stopped(many, codeWords(code, lang).means, numbers.join(', '))}</li>`);
  const others = leftOut.map(({ why, orders: many }) => html`<li>${say.leftOut(many, whys[why] ?? why)}</li>`);
  return html`<p><strong>${result}</strong></p>
${asked.length === 0 ? nothing : html`<ul>${lines(asked)}</ul>\n`}${others.length === 0 ? nothing : html`<details><summary>${say.leftOutTitle}</summary><ul>${lines(others)}</ul></details>\n`}`;
}

/** The store's own settings, only where they matter. */
function notes({ inspected: { inspection }, dryRun, questions, words }: Omit<Result, 'proposed'>): Html {
  const { notes: say } = words.mapping;
  const { decimals = null, currency = null, roundAtSubtotal = null, pricesIncludeTax = null } = inspection?.store ?? {};
  const ofCents = roundAtSubtotal === true ? say.rounded : say.cents;
  const isUntaxed = inspection !== null && inspection.rates.length === 0 && questions.rates.some(({ rate, basis }) => rate === '0' && basis === 'asked');
  const all = [
    ...(dryRun.rounded > 0 ? [ofCents(dryRun.rounded)] : []),
    ...(decimals !== null && decimals > 2 ? [say.decimals(decimals)] : []),
    ...(currency !== null && currency !== 'EUR' ? [say.currency(currency)] : []),
    // Without a rate the store reckons no tax, whatever its prices are.
    ...(pricesIncludeTax === false && (inspection?.rates.length ?? 0) > 0 ? [say.net] : []),
    ...(isUntaxed ? [say.untaxed] : []),
  ];
  return lines(all.map((one) => html`<p class="hint">${one}</p>`));
}
