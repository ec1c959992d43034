import { pauseRemedy } from '../../../operations/connections/pauses.ts';
import {
  type DestinationPause,
  type DestinationReport,
  listDestinations,
  probeDestination,
  resumeDestination,
  resumeQueue,
} from '../../../operations/destinations/destinations.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { button, formTo, mustBeSeen } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { table } from '../../../web/tables.ts';
import type { Form, Page, PageContext, PageReply } from '../../base/page.ts';
import { coded, since, type Tone, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';

const HERE = '/console/destinations';

/** `POST /console/destinations/probe` */
export const probePage: Page = {
  path: '/destinations/probe',
  right: 'stores.see',
  post: { right: 'orders.decide', act: probe },
};

async function probe({ deps, by }: PageContext, form: Form): Promise<PageReply> {
  const { pool, destinations, client, records } = deps;
  const probed = await probeDestination(
    { pool, destinations, client, compliance: records.compliance, probe: (scope) => deps.probe(scope) },
    { named: named(form), by },
  );
  return { goTo: HERE, done: probed.works ? 'destinationWorks' : 'destinationFails' };
}

/** `POST /console/destinations/resume` */
export const resumePage: Page = {
  path: '/destinations/resume',
  right: 'stores.see',
  post: { right: 'orders.decide', act: resume },
};

async function resume({ deps, words, by }: PageContext, form: Form): Promise<PageReply> {
  const destination = named(form);
  const found = (await listDestinations(deps)).find(({ destinationId }) => destinationId === destination);
  const now = found?.pauses ?? [];
  const shop = form.text('shop');
  const sent = shop === '' ? words.destinations.resume : words.destinations.pauses.resume;
  mustBeSeen(form, shownPauses(now), { sent, now: pauseLines(now, words) || words.destinations.working });
  await resumeDestination(deps, { named: destination, by, ...(shop === '' ? {} : { shop }) });
  return { goTo: HERE, done: 'destinationResumed' };
}

/** `POST /console/destinations/queues` */
export const resumeQueuePage: Page = {
  path: '/destinations/queues',
  right: 'stores.see',
  post: {
    right: 'orders.decide',
    async act({ deps, by }, form) {
      const wasPaused = await resumeQueue({ ...deps, by }, form.text('queue'));
      return { goTo: HERE, done: wasPaused ? 'queueResumed' : 'queueRan' };
    },
  },
};

/** A form names one; without a name an operation would take the only one. */
function named(form: Form): string {
  const id = form.text('destination');
  if (id === '') throw new Refusal('invalid', { en: 'the form names no compliance service', bg: 'формулярът не посочва услуга за отчитане' });
  return id;
}

/** `names`: of the people whose ids the audit log has. */
type DestinationView = { report: DestinationReport; names: (actor: string) => string; mayDecide: boolean; now: Date; words: Words };

/** One compliance service: its state, what is paused, and the verbs. */
export function destinationCard({ report, names, mayDecide, now, words }: DestinationView): Html {
  const { destinations: say } = words;
  const { address, keyEnd, stores, pauses, lastHour } = report;
  const { tone, state } = stateOf(report, words);
  const live = stores.filter(({ isLive }) => isLive).map(({ name }) => name);
  return html`<section class="banner ${tone}">
<h2>${address ?? say.ours} ${tag(state, tone)}</h2>
<p>${live.length === 0 ? say.noStores : say.stores(live.join(', '))}<br>
<span class="soft">${say.key(keyEnd)} · ${say.pace(lastHour.requests, lastHour.failed, lastHour.isMore)}</span></p>
${pauses.length === 0 ? nothing : pauseTable(report, { now, mayDecide }, words)}${probeLine(report, { names, now, mayDecide, words })}${mayDecide ? verbs(report, words) : nothing}</section>
`;
}

function stateOf({ pauses }: Pick<DestinationReport, 'pauses'>, { destinations: say }: Words): { tone: Tone; state: string } {
  if (pauses.length === 0) return { tone: 'ok', state: say.working };
  const isWhole = pauses.some(({ callType, shopId }) => callType === 'records' && shopId === null);
  return isWhole ? { tone: 'failing', state: say.paused } : { tone: 'attention', state: say.slowed };
}

/** What a form about the pauses was made from: probes move their times. */
function shownPauses(pauses: readonly DestinationPause[]): unknown {
  return pauses.map(({ shopId, callType, since: began }) => [shopId, callType, began]);
}

function pauseLines(pauses: readonly DestinationPause[], words: Words): string {
  return pauses.map((pause) => `${scopeOf(pause, words)}: ${whyOf(pause, words)}`).join('\n');
}

function whyOf({ code }: DestinationPause, { destinations: { reasons } }: Words): string {
  const known: Readonly<Partial<Record<string, string>>> = { ...reasons, other: undefined };
  return known[code] ?? reasons.other(code);
}

function scopeOf({ callType, shopId, stores }: DestinationPause, { destinations: { pauses: say } }: Words): string {
  return `${say.callType[callType]}, ${shopId === null ? say.whole : stores.join(', ') || shopId}`;
}

/** `mayDecide`: may read what the service said, too, which may name a buyer. */
function pauseTable(report: DestinationReport, { now, mayDecide }: { now: Date; mayDecide: boolean }, words: Words): Html {
  const { pauses } = report;
  const { pauses: say } = words.destinations;
  return table({
    caption: say.caption,
    columns: [
      { name: say.what, cell: (pause) => html`${scopeOf(pause, words)}${mayDecide ? resumeShop(report, pause, words) : nothing}` },
      {
        name: say.why,
        cell: (pause) =>
          html`${whyOf(pause, words)}${mayDecide ? html`<br><span class="soft">${pause.detail}</span>` : nothing}${mending(pause, report.stores, words)}`,
      },
      {
        name: say.since,
        cell: ({ since: began, failures }) => html`${when(began, words)}<br><span class="soft">${since(began, now, words)}, ${say.failures(failures)}</span>`,
      },
      { name: say.waiting, cell: ({ waiting }) => say.waits(waiting.orders, waiting.isMore) },
      { name: say.next, cell: ({ until }) => when(until, words) },
    ],
    rows: pauses,
  });
}

/** Of the pauses of one shop; those of the whole service have a button of their own. */
function resumeShop({ destinationId, pauses }: DestinationReport, { shopId }: DestinationPause, { destinations: { pauses: say } }: Words): Html {
  if (shopId === null) return nothing;
  const hidden = { destination: destinationId, shop: shopId };
  return html` ${formTo(`${HERE}/resume`, { hidden, seen: shownPauses(pauses), buttons: [button(say.resume, { class: 'second' })] })}`;
}

/** What a person does about it; nothing where it mends itself. */
function mending(pause: DestinationPause, stores: DestinationReport['stores'], { lang }: Words): Html {
  const waits = stores.find(({ isLive, shop }) => isLive && (pause.shopId === null || pause.shopId === shop));
  const remedy = pauseRemedy(pause, waits?.connectionId ?? null);
  return remedy === null ? nothing : html`<br><strong>${coded(remedy.said[lang])}</strong>`;
}

function probeLine({ lastProbe }: DestinationReport, { names, now, mayDecide, words }: Pick<DestinationView, 'names' | 'now' | 'mayDecide' | 'words'>): Html {
  if (lastProbe === null) return nothing;
  const { destinations: say } = words;
  const { at, who, after } = lastProbe;
  const works = after.status === 404;
  const answer = after.status === null ? say.noAnswer(after.ms) : say.answered(after.status, after.ms);
  return html`<p>${tag(answer, works ? 'ok' : 'failing')} ${say.probed(names(who), since(at, now, words))} ${works ? say.works : mayDecide ? after.detail : nothing}</p>
`;
}

function verbs({ destinationId, pauses }: DestinationReport, { destinations: say }: Words): Html {
  const hidden = { destination: destinationId };
  const resume = formTo(`${HERE}/resume`, { hidden, seen: shownPauses(pauses), buttons: [button(say.resume, { 'data-key': 'r' })] });
  const probe = formTo(`${HERE}/probe`, { hidden, buttons: [button(say.probe, { class: 'second' })] });
  return html`<div class="verbs">${pauses.length === 0 ? nothing : resume}${probe}</div>
<p class="hint">${say.probeHint} ${pauses.length === 0 ? '' : say.resumeHint}</p>
`;
}
