import type { Connection } from '../../bridge/connections/connection.ts';
import { html } from '../../web/html.ts';
import type { ConnectContext, ConnectReply } from '../base/connect-page.ts';

/** The live connection that the merchant made; null: there is none any more. */
export async function connectionOf({ deps, onboarding }: ConnectContext): Promise<Connection | null> {
  const found = onboarding.connectionId === null ? null : await deps.connections.find(onboarding.connectionId);
  return found?.closedAt === null ? found : null;
}

export function gonePage({ words: { steps, mapping } }: ConnectContext): ConnectReply {
  return { status: 409, title: steps.goneTitle, body: html`<p>${mapping.gone}</p>` };
}
