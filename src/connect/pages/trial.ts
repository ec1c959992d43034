import type { Connection } from '../../bridge/connections/connection.ts';
import { curedBySettings } from '../../bridge/order/facts/failure.ts';
import type { Form } from '../../console/base/page.ts';
import { live, momentName, money, when } from '../../console/frame/parts.ts';
import { dayName, severalText } from '../../contract/local-text.ts';
import { firstStatusLink } from '../../operations/onboarding/invitations.ts';
import type { Amount, OrderSources, SourceRow, SourceTotal } from '../../operations/order-detail/order-sources.ts';
import { Refusal } from '../../operations/refusal.ts';
import { chosenMoment, countedAs, previewStart, START_WAYS, type StartChoice, type StartPreview, startChoice } from '../../operations/trial/preview-start.ts';
import { endWay, otherCompanyUntil, startStore } from '../../operations/trial/start-recording.ts';
import { codeWords } from '../../operations/words.ts';
import { AnswerCache } from '../../platform/answer-cache.ts';
import { button, field, formTo, group, hidden, mustBeSeen, tick } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import { type Columns, table } from '../../web/tables.ts';
import { type ConnectContext, type ConnectPage, type ConnectReply, connectionOf, gonePage } from '../base/connect-page.ts';
import { type ArrivedOrder, type DryRunOrder, newestDryRun, receivedOrders } from '../base/dry-run.ts';
import type { Words } from '../messages/messages.ts';

/** While the page waits for an order it is renewed again and again; the store is not read for each. */
const previews = new AnswerCache<StartPreview>({
  size: 200,
  freshMs: ({ whyUnknown }) => (whyUnknown === null ? KEPT_MS : UNREAD_MS),
  now: () => performance.now(),
});

const LOOK_SECONDS = 5;

/** `GET, POST /connect/{token}/trial`: an order beside its record, a test order, and from when to record. */
export const trialPage: ConnectPage = { path: '/trial', of: 'trial', get: show, post: start };
const KEPT_MS = 60_000;
const UNREAD_MS = 15_000;

async function show(context: ConnectContext): Promise<ConnectReply> {
  const connection = await connectionOf(context);
  if (connection === null) return gonePage(context);
  if (connection.trialSince === null) return started(context);
  const { query } = context.req;
  const shown = await shownWith(
    context,
    connection,
    startChoice((name) => (typeof query[name] === 'string' ? query[name] : '')),
  );
  // A browser without script would take back what somebody selects after they counted.
  return query['from'] === undefined && shown.came.length === 0 ? { ...shown.page, refreshPlainly: LOOK_SECONDS } : shown.page;
}

async function shownWith(context: ConnectContext, connection: Connection, choice: StartChoice) {
  const { deps, words, base } = context;
  const came = await receivedOrders(deps, connection);
  const [inspected, chosen, elsewhereUntil] = await Promise.all([
    deps.inspections.of(deps, connection),
    chosenIn(context, connection, { choice, came }),
    otherCompanyUntil(deps, connection),
  ]);
  const past = { recordedUntil: connection.recordedUntil, elsewhereUntil };
  const body = html`${orderView(newestDryRun(inspected.orders, connection), context)}${cameView(context, came)}${startView(chosen, { base, trialSince: connection.trialSince, ...past }, words)}`;
  return { came, page: { title: words.trial.title, body } };
}

type StartForm = { choice: StartChoice; came: readonly ArrivedOrder[] };

async function chosenIn({ deps }: ConnectContext, connection: Connection, { choice, came }: StartForm): Promise<Chosen> {
  const from = momentOf(choice, deps.now());
  // Of these nothing changed, so neither did what would be recorded; “now” goes on.
  const same = JSON.stringify([connection.id, connection.trialSince, connection.settings, came, from === null ? null : countedAs(choice, from)]);
  const counted = (since: string) => previews.get(same, () => previewStart({ pool: deps.pool, ...deps.stores.reading }, connection, since));
  const preview = from === null ? null : { ...(await counted(from)), from };
  return { ...choice, preview };
}

function momentOf(choice: StartChoice, now: Date): string | null {
  try {
    return chosenMoment(choice, now);
  } catch (thrown) {
    if (thrown instanceof Refusal) return null;
    throw thrown;
  }
}

/** It is recorded, no matter who started it. The page that they keep has an address of its own, since the way's ends; they are led there once. */
async function started({ deps, onboarding, base }: ConnectContext): Promise<ConnectReply> {
  await endWay(deps, onboarding);
  const token = await firstStatusLink(deps, onboarding);
  return { goTo: token === null ? `${base}/status` : `/connect/${token}/status` };
}

async function start(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, words, by } = context;
  const connection = await connectionOf(context);
  if (connection === null) return gonePage(context);
  // Pressed twice: it is started.
  if (connection.trialSince === null) return started(context);
  const { trial: say } = words;
  mustBeSeen(form, [connection.trialSince], { sent: say.startOf, now: momentName(connection.trialSince, words.lang) });
  const choice = startChoice(form.text);
  const from = momentOf(choice, deps.now());
  if (from === null || countedAs(choice, from) !== form.text('counted')) return notCounted(context, connection, choice);
  try {
    await startStore(deps, onboarding, { from, by });
  } catch (thrown) {
    // Where another press was faster, what they asked for is done.
    if (!(thrown instanceof Refusal) || (await connectionOf(context))?.trialSince !== null) throw thrown;
  }
  return started(context);
}

/** What is selected is another moment than what was counted: since a start can't be taken back, that is counted first. */
async function notCounted(context: ConnectContext, connection: Connection, choice: StartChoice): Promise<ConnectReply> {
  const { page } = await shownWith(context, connection, choice);
  return { ...page, status: 422, body: html`<p class="problem" role="alert">${context.words.trial.notCounted}</p>\n${page.body}` };
}

/** A test order, and what came by now: renewed by itself. */
function cameView({ words, base }: ConnectContext, orders: readonly ArrivedOrder[]): Html {
  const { trial: say } = words;
  const list = orders.length === 0 ? html`<p>${say.waits}</p>` : came(orders, words);
  return html`<h2>${say.cameTitle}</h2>
<p>${say.cameBody}</p>
${live('came', list)}
<p><a href="${base}/webhooks">${say.check}</a></p>
`;
}

function came(orders: readonly ArrivedOrder[], words: Words): Html {
  const { trial: say } = words;
  return table({
    caption: say.came,
    columns: [
      { name: say.number, cell: ({ number }) => number },
      { name: say.at, cell: ({ at }) => when(at, words) },
      { name: say.what, cell: (order) => whatOf(order, words) },
    ],
    rows: orders,
  });
}

function whatOf({ sum, code, why }: ArrivedOrder, words: Words): string {
  const { trial: say, lang } = words;
  const whys: Readonly<Record<string, string>> = { ...say.whys, ...say.otherWhys };
  if (sum !== null) return say.would(money(sum, words));
  return code === null ? say.left(whys[why ?? ''] ?? why ?? '') : say.asked(codeWords(code, lang).means);
}

/** The newest real order line by line beside what would be recorded of it. */
function orderView(order: DryRunOrder | null, { words, base }: ConnectContext): Html {
  const { trial: say, lang } = words;
  if (order === null) return html`<p>${say.orderNone}</p>\n`;
  const { number, sources, code } = order;
  const answer = curedBySettings.includes(code ?? '') ? html` <a href="${base}/mapping">${words.own.figures.answer}</a>` : nothing;
  const asked = code === null ? nothing : html`<p class="problem">${say.orderAsked(codeWords(code, lang).means)}${answer}</p>\n`;
  return html`<h2>${say.orderTitle(number)}</h2>
${asked}${sourcesTable(sources, words)}
${code === null ? html`<p class="${sources.totals.differs ? 'problem' : 'soft'}">${sources.totals.differs ? say.differs : say.same}</p>\n` : nothing}`;
}

function sourcesTable({ rows, totals, refunded }: OrderSources, words: Words): Html {
  const { trial: say } = words;
  const back =
    refunded?.unnamed == null ? nothing : html`<p class="hint">${say.refunded(money(`${refunded.unnamed} ${totals.store?.currency ?? ''}`, words))}</p>\n`;
  const cell = (amount: Amount | null, of: SourceTotal) =>
    amount === null ? words.frame.none : severalText(amount.quantity, money(`${amount.amount} ${of?.currency ?? ''}`, words), words.lang);
  const sum = (of: SourceTotal) => html`<strong>${of === null ? words.frame.none : money(`${of.amount} ${of.currency}`, words)}</strong>`;
  const columns: Columns<SourceRow> = [
    { name: say.line, cell: ({ name }) => name },
    { name: say.rate, cell: ({ rate }) => `${rate} %` },
    { name: say.store, n: true, cell: ({ store }) => cell(store, totals.store) },
    { name: say.record, n: true, cell: ({ should }) => cell(should, totals.should) },
  ];
  const sums = [[html`<strong>${say.total}</strong>`, '', sum(totals.store), sum(totals.should)]];
  return html`${table({ caption: say.caption, columns, rows, sums })}
${back}`;
}

/** `preview` null: the day is none. */
type Chosen = StartChoice & { preview: StartPreview | null };

/** Until when the store was recorded before, for this company or for another one; null: it was not. ISO instants. */
type Past = { recordedUntil: string | null; elsewhereUntil: string | null };

function pastOf({ recordedUntil, elsewhereUntil }: Past, { trial: say, lang }: Words): Html {
  const said = [
    ...(recordedUntil === null ? [] : [say.away(momentName(recordedUntil, lang))]),
    ...(elsewhereUntil === null ? [] : [say.elsewhere(momentName(elsewhereUntil, lang))]),
  ];
  return html`${said.map((one) => html`<p>${one}</p>\n`)}`;
}

/** From when to record, with what that takes in; and the start. One form: what is selected when it is sent is what it says. */
function startView({ way, day, preview }: Chosen, { base, trialSince, ...past }: Past & { base: string; trialSince: string | null }, words: Words): Html {
  const { trial: say } = words;
  const ways = START_WAYS.map((one) => tick({ name: 'from', type: 'radio', value: one, label: say.ways[one], isOn: one === way }));
  const dayField = field({ name: 'day', label: say.day, type: 'date', value: day, problem: preview === null ? say.dayWrong : null });
  const content = html`${lines(ways)}${dayField}
<p class="verbs">${button(say.show, { class: 'second', formmethod: 'get' })}</p>`;
  const start = (counted: StartPreview) => html`<p>${say.counted(way === 'day' ? say.since(dayName(day, words.lang)) : say.ways[way])}</p>
${previewed(counted, words)}${hidden('counted', countedAs({ way, day }, counted.from))}`;
  const body = html`${group({ id: 'from', legend: say.from, content })}
${preview === null ? nothing : start(preview)}`;
  return html`<h2>${say.startTitle}</h2>
<p>${say.startBody}</p>
${pastOf(past, words)}${formTo(`${base}/trial`, { seen: [trialSince], body, buttons: preview === null ? [] : [button(say.start)] })}`;
}

function previewed({ known, asked, unknown, whyUnknown }: StartPreview, words: Words): Html {
  const { trial: say, lang } = words;
  const isAny = known.orders + (unknown?.orders ?? 0) > 0;
  const said = [
    known.orders === 0 ? say.none : say.takes(known.orders, money(known.sum, words)),
    ...asked.map(({ code, orders }) => say.wouldAsk(orders, codeWords(code, lang).means)),
    ...(unknown === null || unknown.orders === 0 ? [] : [say.more(unknown.orders, money(unknown.sum, words))]),
    ...(whyUnknown === null ? [] : [say.unread]),
    ...(isAny ? [say.twice] : []),
  ];
  return html`<ul>${lines(said.map((one) => html`<li>${one}</li>`))}</ul>
`;
}
