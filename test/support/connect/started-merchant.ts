import { findOnboarding, insertOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { STEPS } from '../../../src/operations/onboarding/onboarding.ts';
import type { Bridge, Connected, ConnectInput } from '../worlds/bridge.ts';

type Started = { email?: string | null; lang?: 'en' | 'bg' | null; connect?: Partial<ConnectInput>; startedAt?: string | null };

/** A merchant whose store is connected, and records since they started. */
export async function startedMerchant(
  bridge: Bridge,
  { email = null, lang = null, connect = {}, startedAt = new Date().toISOString() }: Started = {},
): Promise<{ id: string; connected: Connected }> {
  const connected = await bridge.connect(connect);
  return { id: await startedOn(bridge, connected, { email, lang, startedAt }), connected };
}

/** The merchant of a store that is connected already. */
export async function startedOn(
  bridge: Bridge,
  { connection: { id: connectionId, shopId, destinationId, platform } }: Connected,
  { email = null, lang = null, startedAt = new Date().toISOString() }: Omit<Started, 'connect'>,
): Promise<string> {
  const { pool } = bridge;
  const { id } = await insertOnboarding(pool, { who: 'cli:test', email, lang, shopId, destinationId, days: 14 });
  for (const step of STEPS) await saved(bridge, id, { step, done: true });
  await saved(bridge, id, { connectionId, platform, ...(startedAt === null ? {} : { startedAt }) });
  return id;
}

async function saved({ pool }: Bridge, id: string, said: Parameters<typeof saveOnboarding>[2]): Promise<void> {
  const onboarding = await findOnboarding(pool, id);
  if (onboarding === null) throw new Error('there is no such onboarding');
  await saveOnboarding(pool, onboarding, said);
}
