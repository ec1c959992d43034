import type { Connection } from '../../bridge/connections/connection.ts';
import { writtenSettings } from '../../bridge/ledger/connections/connection-settings.ts';
import {
  endAfter,
  endProposal,
  findProposal,
  insertProposal,
  type KeptProposal,
  lastProposal,
  openProposals,
  type ProposalAnswer,
} from '../../bridge/ledger/review/proposal-store.ts';
import { type MissingSetting, missingSettings } from '../../bridge/order/facts/failure.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { checkedSettings } from '../connections/change-settings.ts';
import { editedSettings } from '../connections/edited-settings.ts';
import { type FindConnection, knownConnection, storeNames, unknownConnection } from '../connections/known-connection.ts';
import { actorNames } from '../people/people.ts';
import { Refusal } from '../refusal.ts';
import { type CheckDeps, checkOne, issueGone } from './check-one.ts';
import { type Chosen, changesFor, chosenIn } from './chosen-settings.ts';
import { groupId, type IssueGroup, issueGroup, type SeenShops } from './issue-group.ts';

type Deps = { pool: Pool; connections: { list(): Promise<Connection[]> } };

/** open: it can be taken. changed: other settings are there by now. answered: nobody is asked this any more. */
type ProposalState = 'open' | 'changed' | 'answered' | NonNullable<KeptProposal['endedAs']>;

/** What somebody proposed. `group`: the issue in addresses. `by`: their name. */
export type Proposal = {
  id: string;
  group: string;
  connectionId: string;
  store: string;
  code: string;
  pattern: string;
  settings: MissingSetting[];
  chosen: Chosen[];
  by: string;
  at: string;
  note: string;
  is: ProposalState;
  /** By whom, and, if it was declined, why. */
  ended: { by: string; at: string; reason: string } | null;
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

/** The last one about an issue that settings answer, open or ended; null: there is none. */
export async function proposalFor(deps: Deps, group: IssueGroup): Promise<Proposal | null> {
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

const NOTHING: ProposalAnswer = { value: null, name: null };

function proposalIn(kept: KeptProposal, { all, storeOf, nameOf }: About): Proposal {
  const { id, connectionId, code, pattern, answers, who, at, note, endedBy, endedAt, reason } = kept;
  const settings = missingSettings(code, pattern);
  const connection = all.find((one) => one.id === connectionId) ?? null;
  return {
    ...{ id, connectionId, code, pattern, settings, at, note, group: groupId(kept), store: storeOf(connectionId), by: nameOf(who) },
    chosen: settings.map((setting, place) => ({ setting, ...(answers[place] ?? NOTHING) })),
    is: kept.endedAs ?? stateOf(kept, settings, connection),
    ended: endedBy === null || endedAt === null ? null : { by: nameOf(endedBy), at: endedAt, reason: reason ?? '' },
  };
}

function stateOf({ was, isAsked }: KeptProposal, settings: readonly MissingSetting[], connection: Connection | null): ProposalState {
  if (!isAsked || connection === null) return 'answered';
  const now = settings.map((setting) => answerOf(chosenIn(connection, setting)));
  return now.length === was.length && now.every(({ value, name }, place) => value === was[place]?.value && name === was[place]?.name) ? 'open' : 'changed';
}

type ProposeDeps = { pool: Pool; connections: FindConnection };

/** `note`: why, for anyone who takes or declines it; '' for none. */
type Proposed = { group: IssueGroup; chosen: readonly Chosen[]; note: string; by: Actor };

const LONGEST_NOTE = 500;

/** Somebody who may not change settings says what the answer is; it counts once somebody who may takes it. An earlier open proposal ends. */
export async function proposeAnswer({ pool, connections }: ProposeDeps, { group, chosen, note, by }: Proposed): Promise<string> {
  if (group.settings.length === 0) throw new Refusal('invalid', { en: 'no setting answers this issue', bg: 'никоя настройка не отговаря на този въпрос' });
  const connection = await knownConnection(connections, group.connectionId);
  await refuseUnfit(pool, connection, chosen);
  const was = group.settings.map((setting) => answerOf(chosenIn(connection, setting)));
  const about = { answers: chosen.map(({ setting, value, name }) => ({ ...setting, value, name })) };
  return insertProposal(pool, { ...group, answers: chosen.map(answerOf), was, note: note.slice(0, LONGEST_NOTE), who: by, about });
}

/** What could never be taken is not proposed. */
async function refuseUnfit(pool: Pool, connection: Connection, chosen: readonly Chosen[]): Promise<void> {
  const written = await writtenSettings(pool, connection.id);
  if (written === null) throw unknownConnection(connection.id);
  checkedSettings(written, editedSettings(written.settings, changesFor(connection, chosen)));
}

function answerOf({ value, name }: Chosen): ProposalAnswer {
  return { value, name };
}

type DecideDeps = CheckDeps & { now(): Date };
type ListDeps = Pick<DecideDeps, 'pool'> & { connections: Pick<CheckDeps['connections'], 'list'> };

/** The settings are changed to what was proposed, and one order is decided by them, as if anyone who takes it had answered by themselves. */
export async function acceptProposal(deps: DecideDeps, { id, by }: { id: string; by: Actor }): Promise<{ proposal: Proposal; bulkAction: string }> {
  const proposal = await waitingProposal(deps, id);
  const group = proposal.is === 'open' ? await issueGroup(deps, { id: proposal.group, shops: null }) : null;
  if (group === null) throw refusalOf(proposal.is === 'open' ? 'answered' : proposal.is);
  // A crash between the settings and this end leaves a proposal of what is set already, which is said of it.
  const checked = await endAfter(deps.pool, { id, as: 'accepted', by, reason: '' }, async () => {
    const { is } = await waitingProposal(deps, id);
    if (is !== 'open') throw refusalOf(is);
    return checkOne(deps, { group, chosen: proposal.chosen, again: null, by });
  });
  if (checked === null) throw refusalOf((await waitingProposal(deps, id)).is);
  return { proposal, ...checked };
}

/** `reason`: why, for the person who proposed it. */
export async function declineProposal(deps: ListDeps, { id, by, reason }: { id: string; by: Actor; reason: string }): Promise<Proposal> {
  const proposal = await waitingProposal(deps, id);
  if (!(await endProposal(deps.pool, { id, as: 'declined', by, reason }))) throw refusalOf('declined');
  return proposal;
}

/** One that nobody took or declined yet. */
async function waitingProposal(deps: ListDeps, id: string): Promise<Proposal> {
  const proposal = await proposalOf(deps, id);
  if (proposal === null) throw new Refusal('missing', { en: 'there is no proposal with this id', bg: 'няма предложение с този номер', advice: LISTED });
  if (proposal.ended !== null) throw refusalOf(proposal.is);
  return proposal;
}

function refusalOf(is: ProposalState): Refusal {
  return new Refusal('conflict', { ...WORDS[is], advice: LISTED });
}

const LISTED = '`orderbridge proposals` lists what waits';

const WORDS: Readonly<Record<ProposalState, LocalizedText>> = {
  open: { en: 'this proposal waits', bg: 'предложението чака' },
  changed: {
    en: 'the settings were changed since it was proposed: look at what is set now, and decline it',
    bg: 'настройките са променени, след като е предложено: вижте какво е зададено сега и го отхвърлете',
  },
  answered: issueGone,
  accepted: { en: 'this proposal was taken already', bg: 'предложението вече е прието' },
  declined: { en: 'this proposal was declined already', bg: 'предложението вече е отхвърлено' },
  replaced: { en: 'a newer proposal took its place', bg: 'заменено е с по-ново предложение' },
};
