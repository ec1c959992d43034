import { decideCompany, nothingWaits } from '../../../operations/onboarding/confirm-company.ts';
import { endLinksOf, type Invitation, knownInvitation, renewInvitation, revokeInvitation } from '../../../operations/onboarding/invitations.ts';
import type { Page, PageContext, Reply } from '../../base/page.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import { handOver } from './invitations-page.ts';
import { stateOf } from './invitations-view.ts';

/** Each in a form of its own, at an address of its own. */
export const invitationVerbs: readonly Page[] = [
  verb('link', async (context, { id }) => {
    const { token, invitation } = await renewInvitation(context.deps, { id, by: context.by });
    return handOver(context, { ...invitation, token });
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
  const act = async ({ deps, by }: PageContext, { id, waits }: Invitation): Promise<Reply> => {
    if (waits === null) throw nothingWaits();
    await decideCompany(deps, { id, company: waits.company, isTheirs: name === 'confirm', by });
    return { goTo: '/console/stores/invitations', done: name === 'confirm' ? 'company-confirmed' : 'company-refused' };
  };
  return verb(name, act, ({ waits }) => waits);
}

type Act = (context: PageContext, invitation: Invitation) => Promise<Reply>;

/** `seenOf`: what the form was made from. */
function verb(name: string, act: Act, seenOf: (invitation: Invitation) => unknown = stateOf): Page {
  return {
    path: `/stores/invitations/:id/${name}`,
    right: 'stores.change',
    post: {
      right: 'stores.change',
      async act(context, form) {
        const invitation = await knownInvitation(context.deps, String(context.req.params['id']));
        const { states } = context.words.invitations;
        mustBeSeen(form, seenOf(invitation), { sent: context.words.invitations.link, now: `${states[invitation.state]}; ${invitation.links.length}` });
        return act(context, invitation);
      },
    },
  };
}
