import { saveNewest } from '../../../src/operations/onboarding/onboarding.ts';
import type { World } from '../worlds/world.ts';
import { invited, type Merchant } from './merchant.ts';

/** The step before it is done. */
export async function atCompany({ bridge: { pool } }: World, merchant: Merchant): Promise<Merchant> {
  await saveNewest({ pool }, merchant.id, () => ({ step: 'store', done: true, progress: {} }));
  return merchant;
}

/** A merchant whose invitation names no company. */
export async function newcomer(it: World, email: string | null): Promise<Merchant> {
  return atCompany(it, await invited(it.bridge, { email, company: null }));
}
