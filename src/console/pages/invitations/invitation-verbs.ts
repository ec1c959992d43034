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
  verb('revoke', async ({ deps, by }, { id }) => {
    await revokeInvitation(deps, { id, by });
    return { goTo: '/console/stores/invitations', done: 'invitation-revoked' };
  }),
];

function verb(name: string, act: (visit: Visit, invitation: Invitation) => Promise<Reply>): Page {
  return {
    path: `/stores/invitations/:id/${name}`,
    right: 'stores.change',
    post: {
      right: 'stores.change',
      async act(visit, form) {
        const invitation = await knownInvitation(visit.deps, String(visit.req.params['id']));
        const { states } = visit.words.invitations;
        mustBeSeen(form, stateOf(invitation), { sent: visit.words.invitations.link, now: `${states[invitation.state]}; ${invitation.links.length}` });
        return act(visit, invitation);
      },
    },
  };
}
