import { endAfter, endProposal } from '../../bridge/ledger/proposal-store.ts';
import type { Said } from '../../contract/said.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { askedGroup } from './asked-group.ts';
import { askedNoMore, type CheckDeps, checkOne } from './check-one.ts';
import { type Proposal, type ProposalState, proposalOf } from './proposals.ts';

type Deps = CheckDeps & { now(): Date };
type ListDeps = Pick<Deps, 'pool'> & { connections: Pick<CheckDeps['connections'], 'list'> };

/** The settings are changed to what was proposed, and one order is decided by them, as if whoever takes it had answered by himself. */
export async function acceptProposal(deps: Deps, { id, by }: { id: string; by: Actor }): Promise<{ proposal: Proposal; run: string }> {
  const proposal = await waitingProposal(deps, id);
  const group = proposal.is === 'open' ? await askedGroup(deps, { id: proposal.group, shops: null }) : null;
  if (group === null) throw refusalOf(proposal.is === 'open' ? 'answered' : proposal.is);
  // A crash between the settings and this end leaves a proposal of what is set already, which is said of it.
  const checked = await endAfter(deps.pool, { id, as: 'accepted', by, word: '' }, async () => {
    const { is } = await waitingProposal(deps, id);
    if (is !== 'open') throw refusalOf(is);
    return checkOne(deps, { group, chosen: proposal.chosen, again: null, by });
  });
  if (checked === null) throw refusalOf((await waitingProposal(deps, id)).is);
  return { proposal, ...checked };
}

/** `word`: why, for whoever proposed it. */
export async function declineProposal(deps: ListDeps, { id, by, word }: { id: string; by: Actor; word: string }): Promise<Proposal> {
  const proposal = await waitingProposal(deps, id);
  if (!(await endProposal(deps.pool, { id, as: 'declined', by, word }))) throw refusalOf('declined');
  return proposal;
}

/** One that nobody took or declined yet. */
async function waitingProposal(deps: ListDeps, id: string): Promise<Proposal> {
  const proposal = await proposalOf(deps, id);
  if (proposal === null) throw new Refusal('missing', { en: 'there is no proposal with this id', bg: 'няма предложение с този номер' }, { advice: LISTED });
  if (proposal.ended !== null) throw refusalOf(proposal.is);
  return proposal;
}

function refusalOf(is: ProposalState): Refusal {
  return new Refusal('conflict', WORDS[is], { advice: LISTED });
}

const LISTED: Said = { en: '`orderbridge proposals` lists what waits', bg: '`orderbridge proposals` показва какво чака' };

const WORDS: Readonly<Record<ProposalState, Said>> = {
  open: { en: 'this proposal waits', bg: 'предложението чака' },
  changed: {
    en: 'the settings were changed since it was proposed: look at what is set now, and decline it',
    bg: 'настройките са променени, след като е предложено: вижте какво е зададено сега и го отхвърлете',
  },
  answered: askedNoMore,
  accepted: { en: 'this proposal was taken already', bg: 'предложението вече е прието' },
  declined: { en: 'this proposal was declined already', bg: 'предложението вече е отхвърлено' },
  replaced: { en: 'a newer proposal took its place', bg: 'заменено е с по-ново предложение' },
};
