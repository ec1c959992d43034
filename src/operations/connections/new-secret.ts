import { secretsVersion } from '../../bridge/ledger/secrets-version.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';

/** A new secret for the webhooks of a store of this platform; null: it has one of its own, which a person copies. */
export function newSecret(platform: string): string | null {
  return storefrontOf(storefronts, platform).newSecret?.() ?? null;
}

/** What a form about a store's secrets was made from: another text with each change of them. */
export async function versionOfSecrets({ pool }: { pool: Pool }, connectionId: string): Promise<string> {
  return (await secretsVersion(pool, connectionId)) ?? '';
}
