import type { StoreTokens } from '../../bridge/store-api/store-means.ts';
import type { ConsoleDeps } from '../../console/base/console-deps.ts';
import type { Looks } from '../../operations/onboarding/look-at-orders.ts';
import type { Sealer } from '../../platform/seal.ts';

/** What the merchants' pages show and do: as those of the console, what keeps the keys of stores, and what stores said lately. */
export type ConnectDeps = ConsoleDeps & { sealer: Sealer; looks: Looks; tokens: StoreTokens };
