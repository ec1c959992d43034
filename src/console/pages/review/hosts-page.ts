import { movedStore, notOurStore } from '../../../operations/connections/decide-host.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { type UnknownHost, unknownHosts } from '../../../operations/review/waiting-webhooks.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Page } from '../../base/page.ts';
import { seen, when } from '../../frame/parts.ts';
import { mustBeSeen, Stale } from '../../frame/stale.ts';
import type { Words } from '../../messages/messages.ts';

const PATH = '/console/review/hosts';

/** `/console/review/hosts`: hosts that webhooks name, and of which nobody said whose they are. */
export const hostsPage: Page = {
  path: '/review/hosts',
  right: 'orders.see',
  async get({ deps, words, person }) {
    return { title: words.review.hosts.title, place: 'review', body: view(await unknownHosts(deps, { shops: person.shops }), words, person) };
  },
  post: {
    right: 'orders.decide',
    async act({ deps, words, person, by }, form) {
      const { ours, notOurs } = words.review.hosts;
      const isOurs = form.text('verb') === 'ours';
      const sent = isOurs ? ours : notOurs;
      const all = await unknownHosts(deps, { shops: person.shops });
      const quarantined = all.find(({ connectionId, host }) => connectionId === form.text('connection') && host === form.text('host'));
      if (quarantined === undefined) throw new Stale(sent, words.review.stale.gone);
      mustBeSeen(form, named(quarantined), { sent, now: quarantined.host });
      const judging = { id: quarantined.connectionId, host: quarantined.host };
      const goTo = all.length === 1 ? '/console/review' : PATH;
      if (!isOurs) {
        await notOurStore({ ...deps, by }, judging);
        return { goTo, done: 'host-not-ours' };
      }
      const given = { fetchJson: deps.stores.fetchJson, trustedHttpHosts: deps.config.trustedHttpHosts };
      const { api } = await movedStore({ ...deps, ...given, by }, judging);
      return api?.works === false ? { goTo: `/console/stores/${quarantined.connectionId}`, done: 'hostOursNoApi' } : { goTo, done: 'host-ours' };
    },
  },
};

function named({ connectionId, host }: UnknownHost): string[] {
  return [connectionId, host];
}

function view(hosts: readonly UnknownHost[], words: Words, person: Person): Html {
  const { review } = words;
  return html`<p><a href="/console/review">${review.back}</a></p>
${hosts.length === 0 ? html`<p class="banner ok">${review.hosts.empty}</p>` : html`<p>${review.hosts.lead}</p>`}
${lines(hosts.map((quarantined) => hostView(quarantined, words, person)))}`;
}

function hostView(quarantined: UnknownHost, words: Words, person: Person): Html {
  const { hosts, webhookCount } = words.review;
  const { facts } = hosts;
  return html`<section class="card issue"><h2>${quarantined.host}</h2>
<dl class="facts"><dt>${facts.store}</dt><dd>${quarantined.storeName}</dd><dt>${facts.quarantined}</dt><dd>${webhookCount(quarantined.deliveries)}</dd>
<dt>${facts.first}</dt><dd>${when(quarantined.firstAt, words)}</dd><dt>${facts.last}</dt><dd>${when(quarantined.lastAt, words)}</dd></dl>
${may(person.role, 'orders.decide') ? html`${form(quarantined, { verb: 'ours', button: hosts.ours, lead: hosts.oursLead })}${form(quarantined, { verb: 'not-ours', button: hosts.notOurs, lead: hosts.notOursLead })}` : nothing}
</section>`;
}

function form(quarantined: UnknownHost, { verb, button, lead }: { verb: string; button: string; lead: string }): Html {
  return html`<form method="post" action="${PATH}"><input type="hidden" name="verb" value="${verb}"><input type="hidden" name="connection" value="${quarantined.connectionId}">
<input type="hidden" name="host" value="${quarantined.host}">${seen(named(quarantined))}<p class="soft">${lead}</p><div class="verbs"><button class="second">${button}</button></div></form>`;
}
