import type { ConsoleDeps } from '../../console/base/console-deps.ts';
import type { Sealer } from '../../platform/seal.ts';

/** What the merchants' pages show and do: as those of the console, and what keeps the keys of stores. */
export type ConnectDeps = ConsoleDeps & { sealer: Sealer };
