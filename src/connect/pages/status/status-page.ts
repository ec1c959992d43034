import { disconnectStore } from '../../../operations/connections/disconnect-store.ts';
import { endLinksOf, statusLink } from '../../../operations/onboarding/invitations.ts';
import { type MerchantStatus, merchantStatus } from '../../../operations/onboarding/merchant-status.ts';
import { html } from '../../../web/html.ts';
import type { ConnectPage, PageContext } from '../../base/connect-page.ts';
import { disconnectView, notYetView, statusView, unlinkView } from './status-view.ts';

/** `/connect/{token}/status`: green or red, the last order, the months; the page that a merchant keeps. */
export const statusPage: ConnectPage = {
  path: '/status',
  of: 'status',
  async get(context) {
    const status = await statusOf(context);
    if (status === null) return { title: context.words.status.trial, body: notYetView(context) };
    return { title: context.words.status.title(status.name), body: statusView(context, status) };
  },
};

/** `/connect/{token}/status/disconnect`: says what will no longer be recorded, and asks. */
export const disconnectPage: ConnectPage = {
  path: '/status/disconnect',
  of: 'status',
  async get(context) {
    const status = await statusOf(context);
    if (status === null || status.closedAt !== null) return { goTo: `${context.base}/status` };
    return { title: context.words.status.disconnectTitle, body: disconnectView(context, status) };
  },
  async post({ deps, onboarding: { connectionId }, base, by }) {
    if (connectionId !== null) await disconnectStore(deps, { id: connectionId, by });
    return { goTo: `${base}/status` };
  },
};

/** `POST /connect/{token}/status/keep`: from the link to the whole way, which ends, to an address without an end. */
export const keepPage: ConnectPage = {
  path: '/status/keep',
  of: 'status',
  async post({ deps, onboarding, scope, base }) {
    const isDue = scope.kind === 'all' && onboarding.startedAt !== null;
    return { goTo: isDue ? `/connect/${await statusLink(deps, onboarding)}/status` : `${base}/status` };
  },
};

/** `/connect/{token}/status/unlink`: the link that is used now, others to this page, and those to one step end. */
export const unlinkPage: ConnectPage = {
  path: '/status/unlink',
  of: 'status',
  get: async (context) => ({ title: context.words.status.unlink, body: unlinkView(context) }),
  async post({ deps, onboarding: { id }, words: { status: say }, scope, by }) {
    await endLinksOf(deps, { id, scopes: scope.kind === 'all' ? ['all', 'status', 'step'] : ['status', 'step'], by });
    return { title: say.unlinkedTitle, body: html`<p>${say.unlinked}</p>` };
  },
};

/** Null: there is no store yet. */
async function statusOf({ deps, onboarding: { connectionId } }: PageContext): Promise<MerchantStatus | null> {
  return connectionId === null ? null : merchantStatus(deps, connectionId);
}
