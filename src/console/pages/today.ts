import { type StoreOnTrial, storesOnTrial } from '../../bridge/ledger/connections/trial-store.ts';
import { lastWebhooks } from '../../bridge/ledger/deliveries/traffic-store.ts';
import { recordedSince } from '../../bridge/ledger/orders/orders-since.ts';
import { backlogUpTo } from '../../bridge/ledger/orders/pending-orders.ts';
import { missingSettings } from '../../bridge/order/facts/failure.ts';
import { capitalized } from '../../contract/local-text.ts';
import { type StoreNames, storeNames } from '../../operations/connections/known-connection.ts';
import { namedDays } from '../../operations/day-range.ts';
import { type CheckAction, type NameOf, ofStores } from '../../operations/health/check.ts';
import { codeOf } from '../../operations/health/checks.ts';
import type { FailedCheck, HealthStatus } from '../../operations/health/health-status.ts';
import { checkFor, mayReadPersonalData } from '../../operations/order-detail/quoted-words.ts';
import { addedUp, sumWords } from '../../operations/orders/sum-words.ts';
import { may } from '../../operations/people/rights.ts';
import { sofiaMidnight } from '../../operations/reconciliation/window.ts';
import { listProposals, type Proposal } from '../../operations/review/proposals.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { sofiaDay } from '../../service/law/calendar.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import type { Page, PageContext } from '../base/page.ts';
import { since as ago, coded, datedWords, listAddress, live, money, pageWords, storeLink, tag, when, withoutCommands } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';
import { todayCharts } from './count-charts.ts';
import { plainHeading } from './review/issue-text.ts';
import { answersOf } from './review/proposal-view.ts';
import { sinceHere } from './since-here.ts';

/** `GET /console`: what needs somebody now, the worst first. */
export const todayPage: Page = {
  path: '/',
  right: 'orders.see',
  async get(context) {
    const { deps, words, person } = context;
    // Anyone who sees some shops alone has their months.
    if (person.shops !== null) return { goTo: '/console/months' };
    const [health, figures, proposals, charts, since, stores] = await Promise.all([
      deps.readHealth(),
      todayFigures(deps),
      listProposals(deps, { shops: null }),
      todayCharts(context),
      sinceHere(context),
      words.lang === 'en' && mayReadPersonalData(person) ? [] : deps.connections.list(),
    ]);
    const nameOf = storeNames(stores);
    const shown = { ...health, failedChecks: health.failedChecks.map((failedCheck) => checkFor(person, failedCheck, nameOf)) };
    const body = html`${live('health', banner(shown, figures, { ...context, nameOf }))}
${live('since', since)}
${live('proposals', proposed(proposals, words))}
${live('trials', trials(figures, context))}
${live('figures', cards(health, figures, context))}
${live('counts', charts)}
${may(person.role, 'activity.see') ? activityLinks(context) : nothing}`;
    return { title: words.today.title, place: 'today', body };
  },
};

function activityLinks({ deps, words: { today: say } }: PageContext): Html {
  const changed = listAddress('activity', namedDays(sofiaDay(deps.now().toISOString())).since);
  return html`<p><a href="${changed}">${say.changed}</a> · <a href="/console/live">${say.live}</a></p>`;
}

type Shown = PageContext & { nameOf: StoreNames };

function banner({ health, failedChecks }: HealthStatus, figures: TodayFigures, context: Shown): Html {
  const { words, nameOf } = context;
  const [worst] = failedChecks;
  // What it names; what was answered, and what then, stands below.
  const heading = worst === undefined ? words.frame.health.ok : (checkWords(worst, words, nameOf).split('; ')[0] ?? '');
  const seconds = figures.lastWebhook?.ageSeconds ?? null;
  const first = failedChecks.find((failedCheck) => codeOf(failedCheck.code).action !== undefined);
  const hint = figures.lastWebhook === null ? noStore(context, first === undefined) : nothing;
  const last = seconds === null ? words.frame.when.never : words.frame.when.ago(Math.round(seconds));
  const content =
    failedChecks.length === 0
      ? html`${figures.lastWebhook === null ? nothing : html`<p>${words.today.calm(figures.recorded.orders, last)}</p>`}`
      : html`<ul class="reasons">\n${lines(failedChecks.map((failedCheck) => item(failedCheck, context, { isFirst: failedCheck === first, heading })))}</ul>`;
  return html`<section class="banner ${health}">${headline(heading, failedChecks, words)}
${content}${hint}</section>`;
}

/** What is worst, and of how many. */
function headline(heading: string, failedChecks: readonly FailedCheck[], { frame }: Words): Html {
  const urgent = failedChecks.filter(({ level }) => level === 'failing').length;
  const counts = failedChecks.length < 2 ? nothing : html`<p class="soft">${frame.health.wrong(urgent, failedChecks.length - urgent)}</p>`;
  return html`<h2>${coded(capitalized(heading))}</h2>${counts}`;
}

/** What accountants proposed, and nobody took or declined yet. */
function proposed(proposals: readonly Proposal[], words: Words): Html {
  const { proposal: say } = words.review;
  const waiting = proposals.filter(({ is }) => is === 'open' || is === 'changed');
  if (waiting.length === 0) return nothing;
  const one = (proposal: Proposal) =>
    html`<li><span>${proposal.store}: ${say.inList(proposal.by, answersOf(proposal, words))}</span><a class="verb second" href="/console/review/${proposal.group}">${say.look}</a></li>`;
  return html`<section class="banner attention"><h2>${say.todayTitle}</h2>
<ul class="reasons">\n${lines(waiting.map(one))}</ul></section>`;
}

/** Stores of which nothing is submitted yet. */
function trials({ onTrial }: TodayFigures, { deps, words, person }: PageContext): Html {
  if (onTrial.length === 0) return nothing;
  const one = (store: TodayFigures['onTrial'][number]) =>
    html`<li><span>${storeLink(store, person)}: ${words.start.onTrial(ago(store.since, deps.now(), words))}</span></li>`;
  return html`<ul class="reasons">\n${lines(onTrial.map(one))}</ul>`;
}

function noStore({ words: { today, stores }, person }: PageContext, isFirst: boolean): Html {
  const invite = html` <a class="verb${isFirst ? '' : ' second'}" href="/console/stores/invitations">${stores.invite}</a>`;
  return html`<p>${today.noStore}${may(person.role, 'stores.change') ? invite : nothing}</p>`;
}

/** `isFirst`: the worst that has a button, which is the one to press. `heading`: what stands above already. */
function item(failedCheck: FailedCheck, context: Shown, { isFirst, heading }: { isFirst: boolean; heading: string }): Html {
  const { words, nameOf } = context;
  const { level, total, since } = failedCheck;
  const sum = total === null ? nothing : html` <strong>${money(total, words)}</strong>`;
  const from = since === null ? nothing : html` <span class="soft">${words.today.since} ${when(since, words)}</span>`;
  const said = checkWords(failedCheck, words, nameOf);
  const [first, ...others] = said.split('; ');
  const rest = first === heading ? others.join('; ') : said;
  const press = verb(failedCheck, context, isFirst);
  const more = inFull(failedCheck, words);
  if (rest === '' && [sum, from, more, press].every((part) => part === nothing)) return nothing;
  return html`<li><span>${tag(words.today.levels[level], level)} ${coded(rest)}${more}${sum}${from}</span>${press}</li>`;
}

/** What only the English sentence says, folded: of a check without Bulgarian words of its own, and without a page. */
function inFull({ code, members, words: english }: FailedCheck, { lang, today }: Words): Html {
  const { bgOf, action } = codeOf(code);
  if (lang === 'en' || members !== undefined || bgOf !== undefined || action !== undefined) return nothing;
  return html` <details lang="en"><summary lang="bg">${today.inFull}</summary>${english}</details>`;
}

/**
 * A failed check of the health status in one sentence, with the names of stores. What needs review is called as in the review queue. In Bulgarian it is
 * without what was answered: that stays in the words of anyone who answered.
 */
export function checkWords(failedCheck: FailedCheck, words: Words, nameOf: NameOf): string {
  const { code, subject, count, words: english, members } = failedCheck;
  const { lang, issues, today } = words;
  if (code === 'orders.need-review' && subject !== null && Object.hasOwn(issues.of, subject))
    return today.inReview(count ?? 0, plainHeading({ code: subject, settings: missingSettings(subject, english) }, words));
  const { bg, bgOf, action } = codeOf(code);
  const inBulgarian = () => (members === undefined ? (bgOf?.(failedCheck, nameOf) ?? bg) : ofStores(failedCheck, bg));
  const said = lang === 'bg' ? inBulgarian() : action === undefined ? english : withoutCommands(english);
  return (DATED.test(code) ? datedWords : pageWords)(said, lang);
}

/** Their words name months or days, which those of others only quote. */
const DATED = /^(?:month|rates)\.|^orders\.ended-currency$/;

function verb(failedCheck: FailedCheck, { words: { today }, person }: PageContext, isFirst: boolean): Html {
  const found = verbOf(failedCheck);
  if (found === null) return nothing;
  const typed = found.command === undefined ? nothing : html`<span class="soft">${today.verbs.command} <code>${found.command}</code></span>`;
  if (!('path' in found)) return typed;
  return html`${typed}${may(person.role, found.right) ? html`<a class="verb${isFirst ? '' : ' second'}" href="${found.path}">${today.verbs[found.label]}</a>` : nothing}`;
}

function cards({ failedChecks }: HealthStatus, { waiting, recorded, lastWebhook }: TodayFigures, { words, person }: PageContext): Html {
  const { cards: w } = words.today;
  const { ago } = words.frame.when;
  const asked = failedChecks.filter(
    ({ code }) => code === 'orders.need-review' || code === 'orders.unconfirmed' || code === 'webhooks.need-review' || code === 'hosts.quarantined',
  );
  const people = asked.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const sum = addedUp(asked.flatMap(({ total }) => total ?? []));
  const pending = waiting.oldestSeconds === null ? w.waiting.none : w.waiting.oldest(ago(Math.round(waiting.oldestSeconds)));
  const age = lastWebhook?.ageSeconds ?? null;
  return html`<div class="cards">
${card({ title: w.person.title, figure: String(people), words: people === 0 ? w.person.none : sum === null ? '' : money(sum, words), path: '/console/review' })}
${card({ title: w.waiting.title, figure: `${waiting.orders}${waiting.isMore ? '+' : ''}`, words: pending, path: '/console/orders?state=queued' })}
${card({ title: w.recorded.title, figure: String(recorded.orders), words: recorded.total === null ? '' : w.recorded.asThen(money(recorded.total, words)), path: '/console/orders?state=recorded' })}
${card({ title: w.webhook.title, figure: age === null ? words.frame.none : ago(Math.round(age)), words: age === null ? w.webhook.none : (lastWebhook?.store ?? ''), path: may(person.role, 'stores.see') ? '/console/stores' : '/console/webhooks' })}
</div>`;
}

function card({ title, figure, words, path }: { title: string; figure: string; words: string; path: string }): Html {
  return html`<section class="card"><h2><a href="${path}">${title}</a></h2><p class="figure">${figure}</p><p class="soft">${words}</p></section>`;
}

/** Null: there is nothing to press or type. */
function verbOf(failedCheck: FailedCheck): CheckAction | { command: string } | null {
  const { action } = codeOf(failedCheck.code);
  if (action !== undefined) return action(failedCheck);
  return failedCheck.verb === null ? null : { command: `orderbridge ${failedCheck.verb}` };
}

/** More orders are not counted on each look. */
const MOST_WAITING = 10_000;

/** `waiting`: orders that orderbridge still has to do something about; `isMore`: these, and more. `lastWebhook` null: no store is connected. */
type TodayFigures = {
  waiting: { orders: number; isMore: boolean; oldestSeconds: number | null };
  /** Since midnight in Sofia; `total`: of the orders as they were then, such as `36.00 EUR + 12.00 USD`, null: there is none. */
  recorded: { orders: number; total: string | null };
  lastWebhook: { store: string; ageSeconds: number | null } | null;
  onTrial: StoreOnTrial[];
};

/** What happened today, and what is under way. */
async function todayFigures({ pool, now }: { pool: Pool; now(): Date }): Promise<TodayFigures> {
  const [waiting, recorded, [last], onTrial] = await Promise.all([
    backlogUpTo(pool, MOST_WAITING),
    recordedSince(pool, sofiaMidnight(sofiaDay(now().toISOString()))),
    lastWebhooks(pool, 1),
    storesOnTrial(pool),
  ]);
  return {
    waiting: { orders: waiting.pending, isMore: waiting.pending >= MOST_WAITING, oldestSeconds: waiting.oldestSeconds },
    recorded: { orders: recorded.count, total: sumWords(recorded.totals) },
    lastWebhook: last === undefined ? null : { store: last.name, ageSeconds: last.ageSeconds },
    onTrial,
  };
}
