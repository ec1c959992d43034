import type { Connection } from '../../bridge/connections/connection.ts';
import type { Form } from '../../console/base/page.ts';
import { field, live, momentName, money, seen, table, when } from '../../console/frame/parts.ts';
import { mustBeSeen } from '../../console/frame/stale.ts';
import { dayName } from '../../contract/local-text.ts';
import { firstStatusLink } from '../../operations/onboarding/invitations.ts';
import type { Amount, OrderSources, SourceRow, SourceTotal } from '../../operations/order-detail/order-sources.ts';
import { Refusal } from '../../operations/refusal.ts';
import { chosenMoment, countedAs, previewStart, START_WAYS, type StartChoice, type StartPreview, startChoice } from '../../operations/trial/preview-start.ts';
import { endWay, otherCompanyUntil, startStore } from '../../operations/trial/start-recording.ts';
import { codeWords } from '../../operations/words.ts';
import { AnswerCache } from '../../platform/answer-cache.ts';
import { attributes } from '../../web/attributes.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import type { ConnectPage, ConnectReply, PageContext } from '../base/connect-page.ts';
import { type CameOrder, cameByNow, type DryRunOrder, newestDryRun } from '../base/dry-run.ts';
import type { Words } from '../messages/messages.ts';
import { connectionOf, gonePage } from './connection-of.ts';

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

async function show(context: PageContext): Promise<ConnectReply> {
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

async function shownWith(context: PageContext, connection: Connection, choice: StartChoice) {
  const { deps, words, base } = context;
  const came = await cameByNow(deps, connection);
  const [inspected, chosen, elsewhereUntil] = await Promise.all([
    deps.inspections.of(deps, connection),
    chosenIn(context, connection, { choice, came }),
    otherCompanyUntil(deps, connection),
  ]);
  const past = { recordedUntil: connection.recordedUntil, elsewhereUntil };
  const body = html`${orderView(newestDryRun(inspected.orders, connection), words)}${cameView(context, came)}${startView(chosen, { base, trialSince: connection.trialSince, ...past }, words)}`;
  return { came, page: { title: words.trial.title, body } };
}

type StartForm = { choice: StartChoice; came: readonly CameOrder[] };

async function chosenIn({ deps }: PageContext, connection: Connection, { choice, came }: StartForm): Promise<Chosen> {
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

/** It is recorded, whoever started it. The page that they keep has an address of its own, since the way's ends; they are led there once. */
async function started({ deps, onboarding, base }: PageContext): Promise<ConnectReply> {
  await endWay(deps, onboarding);
  const token = await firstStatusLink(deps, onboarding);
  return { goTo: token === null ? `${base}/status` : `/connect/${token}/status` };
}

async function start(context: PageContext, form: Form): Promise<ConnectReply> {
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
async function notCounted(context: PageContext, connection: Connection, choice: StartChoice): Promise<ConnectReply> {
  const { page } = await shownWith(context, connection, choice);
  return { ...page, status: 422, body: html`<p class="problem" role="alert">${context.words.trial.notCounted}</p>\n${page.body}` };
}

/** A test order, and what came by now: renewed by itself. */
function cameView({ words, base }: PageContext, orders: readonly CameOrder[]): Html {
  const { trial: say } = words;
  const list = orders.length === 0 ? html`<p>${say.waits}</p>` : came(orders, words);
  return html`<h2>${say.cameTitle}</h2>
<p>${say.cameBody}</p>
${live('came', list)}
<p><a href="${base}/webhooks">${say.check}</a></p>
`;
}

function came(orders: readonly CameOrder[], words: Words): Html {
  const { trial: say } = words;
  return table({
    caption: say.came,
    columns: [say.number, say.at, say.what].map((name) => ({ name })),
    rows: orders.map((order) => [html`${order.number}`, when(order.at, words), html`${whatOf(order, words)}`]),
  });
}

function whatOf({ sum, code, why }: CameOrder, words: Words): string {
  const { trial: say, lang } = words;
  const whys: Readonly<Record<string, string>> = { ...say.whys, ...say.otherWhys };
  if (sum !== null) return say.would(money(sum, words));
  return code === null ? say.left(whys[why ?? ''] ?? why ?? '') : say.asked(codeWords(code, lang).means);
}

/** The newest real order line by line beside what would be recorded of it. */
function orderView(order: DryRunOrder | null, words: Words): Html {
  const { trial: say, lang } = words;
  if (order === null) return html`<p>${say.orderNone}</p>\n`;
  const { number, sources, code } = order;
  const asked = code === null ? nothing : html`<p class="problem">${say.orderAsked(codeWords(code, lang).means)}</p>\n`;
  return html`<h2>${say.orderTitle(number)}</h2>
${asked}${sourcesTable(sources, words)}
${code === null ? html`<p class="${sources.totals.differs ? 'problem' : 'soft'}">${sources.totals.differs ? say.differs : say.same}</p>\n` : nothing}`;
}

function sourcesTable({ rows, totals, refunded }: OrderSources, words: Words): Html {
  const { trial: say } = words;
  const head = [say.line, say.rate, say.store, say.record].map((name, i) => html`<th scope="col" class="${i > 1 ? 'n' : ''}">${name}</th>`);
  const back = refunded === null ? nothing : html`<p class="hint">${say.refunded(money(`${refunded} ${totals.store?.currency ?? ''}`, words))}</p>\n`;
  return html`<table class="list"><caption class="unseen">${say.caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${lines(rows.map((row) => line(row, totals, words)))}
<tr><td data-label="${say.line}"><strong>${say.total}</strong></td><td></td>${sum(say.store, totals.store, words)}${sum(say.record, totals.should, words)}</tr>
</tbody></table>
${back}`;
}

function line({ name, rate, store, should }: SourceRow, totals: OrderSources['totals'], words: Words): Html {
  const { trial: say } = words;
  return html`<tr><td data-label="${say.line}">${name}</td><td data-label="${say.rate}">${rate} %</td>${cell(say.store, { amount: store, of: totals.store }, words)}${cell(say.record, { amount: should, of: totals.should }, words)}</tr>`;
}

function cell(label: string, { amount, of }: { amount: Amount | null; of: SourceTotal }, words: Words): Html {
  const text = amount === null ? words.frame.none : words.trial.times(amount.quantity, money(`${amount.amount} ${of?.currency ?? ''}`, words));
  return html`<td class="n" data-label="${label}">${text}</td>`;
}

function sum(label: string, of: SourceTotal, words: Words): Html {
  return html`<td class="n" data-label="${label}"><strong>${of === null ? words.frame.none : money(`${of.amount} ${of.currency}`, words)}</strong></td>`;
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
  const option = (one: StartChoice['way']) =>
    html`<p><label><input type="radio" name="from" value="${one}"${attributes({ checked: one === way })}> ${say.ways[one]}</label></p>`;
  const wrong = preview === null ? { problem: say.dayWrong } : {};
  const start = (counted: StartPreview) => html`<p>${say.counted(way === 'day' ? say.since(dayName(day, words.lang)) : say.ways[way])}</p>
${previewed(counted, words)}<input type="hidden" name="counted" value="${countedAs({ way, day }, counted.from)}">
<p class="verbs"><button>${say.start}</button></p>
`;
  return html`<h2>${say.startTitle}</h2>
<p>${say.startBody}</p>
${pastOf(past, words)}<form method="post" action="${base}/trial">${seen([trialSince])}<fieldset><legend>${say.from}</legend>
${lines(START_WAYS.map(option))}${field({ name: 'day', label: say.day, type: 'date', value: day, ...wrong })}
<p class="verbs"><button class="second" formmethod="get">${say.show}</button></p></fieldset>
${preview === null ? nothing : start(preview)}</form>
`;
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
