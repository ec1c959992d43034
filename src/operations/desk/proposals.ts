import type { Connection } from '../../bridge/connections/connection.ts';
import { type Answer, findProposal, type KeptProposal, lastProposal, openProposals } from '../../bridge/ledger/proposal-store.ts';
import { type AskedSetting, askedSettings } from '../../bridge/order/asked-settings.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { storeNames } from '../connections/store-names.ts';
import { actorNames } from '../people/actor-names.ts';
import { type AskedGroup, groupId, type SeenShops } from './asked-group.ts';
import { type Chosen, chosenIn } from './chosen-settings.ts';
import { answerOf } from './propose-answer.ts';

type Deps = { pool: Pool; connections: { list(): Promise<Connection[]> } };

/** open: it can be taken. changed: other settings are there by now. answered: nobody is asked this any more. */
export type ProposalState = 'open' | 'changed' | 'answered' | NonNullable<KeptProposal['endedAs']>;

/** What somebody proposed. `group`: the question in addresses. `by`: his name. */
export type Proposal = {
  id: string;
  group: string;
  connectionId: string;
  store: string;
  code: string;
  alike: string;
  settings: AskedSetting[];
  chosen: Chosen[];
  by: string;
  at: string;
  note: string;
  is: ProposalState;
  /** By whom, and, if it was declined, why. */
  ended: { by: string; at: string; word: string } | null;
};

/** Those that wait for somebody, the oldest first. */
export async function listProposals(deps: Deps, { shops }: SeenShops): Promise<Proposal[]> {
  const kept = await openProposals(deps.pool);
  if (kept.length === 0) return [];
  const all = await deps.connections.list();
  const seen = new Set(all.filter(({ shopId }) => shops === null || shops.includes(shopId)).map(({ id }) => id));
  return shownOf(
    deps,
    kept.filter(({ connectionId }) => seen.has(connectionId)),
    all,
  );
}

/** The last one about a question that settings answer, open or ended; null: there is none. */
export async function proposalFor(deps: Deps, group: AskedGroup): Promise<Proposal | null> {
  const kept = group.settings.length === 0 ? null : await lastProposal(deps.pool, group);
  return theOne(deps, kept);
}

/** Null: there is none with this id. */
export async function proposalOf(deps: Deps, id: string): Promise<Proposal | null> {
  return theOne(deps, await findProposal(deps.pool, id));
}

async function theOne(deps: Deps, kept: KeptProposal | null): Promise<Proposal | null> {
  if (kept === null) return null;
  const [proposal] = await shownOf(deps, [kept], await deps.connections.list());
  return proposal ?? null;
}

async function shownOf({ pool }: Deps, kept: readonly KeptProposal[], all: readonly Connection[]): Promise<Proposal[]> {
  const names = await actorNames(
    pool,
    kept.flatMap(({ who, endedBy }) => [who, ...(endedBy === null ? [] : [endedBy])]),
  );
  const about: About = { all, storeOf: storeNames(all), nameOf: (actor) => names.get(actor) ?? actor };
  return kept.map((one) => proposalIn(one, about));
}

type About = { all: readonly Connection[]; storeOf(connectionId: string): string; nameOf(actor: Actor): string };

const NOTHING: Answer = { value: null, name: null };

function proposalIn(kept: KeptProposal, { all, storeOf, nameOf }: About): Proposal {
  const { id, connectionId, code, alike, answers, who, at, note, endedBy, endedAt, word } = kept;
  const settings = askedSettings(code, alike);
  const connection = all.find((one) => one.id === connectionId) ?? null;
  return {
    ...{ id, connectionId, code, alike, settings, at, note, group: groupId(kept), store: storeOf(connectionId), by: nameOf(who) },
    chosen: settings.map((asked, place) => ({ asked, ...(answers[place] ?? NOTHING) })),
    is: kept.endedAs ?? stateOf(kept, settings, connection),
    ended: endedBy === null || endedAt === null ? null : { by: nameOf(endedBy), at: endedAt, word: word ?? '' },
  };
}

function stateOf({ was, isAsked }: KeptProposal, settings: readonly AskedSetting[], connection: Connection | null): ProposalState {
  if (!isAsked || connection === null) return 'answered';
  const now = settings.map((asked) => answerOf(chosenIn(connection, asked)));
  return isSame(now, was) ? 'open' : 'changed';
}

function isSame(a: readonly Answer[], b: readonly Answer[]): boolean {
  return a.length === b.length && a.every(({ value, name }, place) => value === b[place]?.value && name === b[place]?.name);
}
