import { openComplianceAccess } from '../../../src/app/compliance-access.ts';
import { openComplianceClient } from '../../../src/app/compliance-client.ts';
import { inviteMerchant } from '../../../src/operations/onboarding/invitations.ts';
import type { Bridge } from '../worlds/bridge.ts';

export type MerchantPage = { status: number; text: string; location: string | null; headers: Headers };

/** A browser that has a link. */
export type Merchant = {
  id: string;
  token: string;
  /** `path`: below the link. */
  get(path?: string, headers?: Record<string, string>): Promise<MerchantPage>;
  /** As a form of a page of ours sends it. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<MerchantPage>;
};

type Inviting = { email?: string | null; shopId?: string | null; app?: string | null; lang?: 'en' | 'bg' | null; by?: string };

/** A merchant who got a link. */
export async function invited(bridge: Bridge, { email = null, shopId = null, app = null, lang = 'en', by = 'cli:test' }: Inviting = {}): Promise<Merchant> {
  const { core } = bridge.app;
  await using compliance = await openComplianceAccess(core);
  await using client = openComplianceClient(core.config);
  const deps = { pool: core.pool, connections: core.connections, apps: core.apps, compliance, client };
  return withLink(bridge, await inviteMerchant(deps, { email, shopId, app, lang, by }));
}

export function withLink({ app }: Pick<Bridge, 'app'>, { id, token }: { id: string; token: string }): Merchant {
  const ask = async (path: string, init: RequestInit): Promise<MerchantPage> => {
    const answer = await fetch(`${app.url}/connect/${token}${path}`, { redirect: 'manual', ...init });
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location'), headers: answer.headers };
  };
  return {
    id,
    token,
    get: (path = '', headers = {}) => ask(path, { headers }),
    post: (path, fields = {}, headers = { 'sec-fetch-site': 'same-origin' }) => ask(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
  };
}
