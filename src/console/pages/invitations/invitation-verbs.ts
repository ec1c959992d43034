import { decideCompany, nothingWaits } from '../../../operations/onboarding/confirm-company.ts';
import { endLinksOf, type Invitation, knownInvitation, renewInvitation, revokeInvitation } from '../../../operations/onboarding/invitations.ts';
import type { Page, Reply, Visit } from '../../base/page.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import { handOver } from './invitations-page.ts';
import { stateOf } from './invitations-view.ts';

/** Each in a form of its own, at an address of its own. */
export const invitationVerbs: readonly Page[] = [
  verb('link', async (visit, { id }) => {
    const { token, invitation } = await renewInvitation(visit.deps, { id, by: visit.by });
    return handOver(visit, { ...invitation, token });
  }),
  verb('end-status', async ({ deps, by }, { id }) => {
    await endLinksOf(deps, { id, scopes: ['status'], by });
    return { goTo: '/console/stores/invitations', done: 'link-ended' };
  }),
  decision('confirm'),
  decision('refuse'),
  verb('revoke', async ({ deps, by }, { id }) => {
    await revokeInvitation(deps, { id, by });
    return { goTo: '/console/stores/invitations', done: 'invitation-revoked' };
  }),
];

/** Whether the company for which a merchant waits is his; of what he says by now, and who else has it, as it was seen. */
function decision(name: 'confirm' | 'refuse'): Page {
  const act = async ({ deps, by }: Visit, { id, waits }: Invitation): Promise<Reply> => {
    if (waits === null) throw nothingWaits();
    await decideCompany(deps, { id, company: waits.company, isTheirs: name === 'confirm', by });
    return { goTo: '/console/stores/invitations', done: name === 'confirm' ? 'company-confirmed' : 'company-refused' };
  };
  return verb(name, act, ({ waits }) => waits);
}

type Act = (visit: Visit, invitation: Invitation) => Promise<Reply>;

/** `seenOf`: what the form was made from. */
function verb(name: string, act: Act, seenOf: (invitation: Invitation) => unknown = stateOf): Page {
  return {
    path: `/stores/invitations/:id/${name}`,
    right: 'stores.change',
    post: {
      right: 'stores.change',
      async act(visit, form) {
        const invitation = await knownInvitation(visit.deps, String(visit.req.params['id']));
        const { states } = visit.words.invitations;
        mustBeSeen(form, seenOf(invitation), { sent: visit.words.invitations.link, now: `${states[invitation.state]}; ${invitation.links.length}` });
        return act(visit, invitation);
      },
    },
  };
}
