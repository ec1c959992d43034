import { openComplianceAccess, openComplianceClient } from '../../../src/app/compliance-api.ts';
import { addInvitation } from '../../../src/bridge/ledger/invitations/invitation-store.ts';
import { inviteMerchant } from '../../../src/operations/onboarding/invitations.ts';
import { saveNewest } from '../../../src/operations/onboarding/onboarding.ts';
import { newToken } from '../../../src/operations/people/sessions.ts';
import { PROGRAM } from '../../../src/platform/audit-log/audit-log.ts';
import { hashOf } from '../../../src/platform/token-hash.ts';
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

/** `company`: the one that the invitation names; null: none. Absent: none, and that of `companyTyped` is confirmed already. */
type Inviting = { email?: string | null; shopId?: string | null; company?: string | null; app?: string | null; lang?: 'en' | 'bg' | null; by?: string };

/** A merchant who got a link. */
export async function invited(bridge: Bridge, { company, ...given }: Inviting = {}): Promise<Merchant> {
  const { email = null, shopId = null, app = null, lang = 'en', by = 'cli:test' } = given;
  const { core } = bridge.app;
  await using compliance = await openComplianceAccess(core);
  await using client = openComplianceClient(core.config);
  const deps = { pool: core.pool, connections: core.connections, apps: core.apps, compliance, client };
  const made = await inviteMerchant(deps, { email, shopId, company: company ?? null, app, lang, by });
  if (company === undefined && shopId === null) await confirmedCompany(bridge, made.id);
  return withLink(bridge, made);
}

/** The company of `companyTyped` is a merchant's, as if they or the operator had confirmed it. */
export async function confirmedCompany({ pool }: Pick<Bridge, 'pool'>, id: string): Promise<void> {
  await saveNewest({ pool }, id, () => ({ company: '206770508' }));
}

/** Anyone who came by an app that they approved, without an invitation. */
export async function uninvited(bridge: Bridge, lang: 'en' | 'bg' | null = null): Promise<Merchant> {
  const token = newToken();
  const given = { who: PROGRAM, email: null, lang, shopId: null, destinationId: null, days: 14 };
  const { id } = await addInvitation(bridge.pool, { ...given, token: hashOf(token) });
  return withLink(bridge, { id, token });
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
