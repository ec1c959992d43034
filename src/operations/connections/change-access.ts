import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { changedAccess } from './changed-access.ts';
import { keepTrial } from './keep-trial.ts';
import { type Reconnected, reconnectStore, requireLive } from './reconnect-store.ts';
import { refuseInsecure } from './refuse-insecure.ts';
import { tryAccess, withPatience } from './try-access.ts';

type Deps = Parameters<typeof reconnectStore>[0] & Parameters<typeof keepTrial>[0];

/** `anyway`: although it does not work now. */
type Change = { url: string; credentials: Readonly<Record<string, string>>; anyway: boolean };

/** `problems`: what does not work; then nothing was changed, unless it was wanted anyway. */
export type ChangedAccess = { problems: readonly string[]; changed: Reconnected | null };

/** Tries new keys or another address of a store's API, and takes them if they work. */
export async function changeAccess(deps: Deps, before: Connection, { url, credentials, anyway }: Change): Promise<ChangedAccess> {
  requireLive(before);
  const access = changedAccess(before, { url, credentials });
  refuseInsecure(access, deps.trustedHttpHosts);
  const storefront = storefrontOf(storefronts, before.platform);
  const fetchJson = withPatience(deps.fetchJson);
  const [secret] = liveSecrets(before, Date.now());
  const problems = await tryAccess({ storefront, access, secret, fetchJson });
  if (problems.length > 0 && !anyway) return { problems, changed: null };
  const given = { name: null, secret: null, credentials: null, settings: null, recordFrom: null };
  const changed = await reconnectStore({ ...deps, fetchJson }, before, { ...given, access, url: storefront.deliveriesNameStore ? url : null });
  await keepTrial(deps, before.id, { access: problems });
  return { problems, changed };
}
