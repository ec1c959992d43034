import { mailRuns } from '../../../src/app/bridge-jobs.ts';
import type { Core } from '../../../src/app/core.ts';
import { watchDeps } from '../../../src/app/watchdog.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { Secret } from '../../../src/config/secret.ts';
import { dropAbandoned } from '../../../src/operations/onboarding/drop-abandoned.ts';
import { claimJobs, settleJobs } from '../../../src/platform/jobs/job-store.ts';

type Wanted = { smtp: { url: string }; now: Date; publicUrl?: string };

/** Looks for what merchants must do, as at that moment, and sends the mails of it. */
export async function mailMerchants(core: Core, { smtp, now, publicUrl = 'https://bridge.example' }: Wanted): Promise<void> {
  const mail = { smtpUrl: new Secret(smtp.url), from: 'bridge@service.example', replyTo: 'help@service.example' };
  const deps = { pool: core.pool, connections: core.connections, stores: { watch: watchDeps(core, storefronts), storefronts } };
  const runs = mailRuns({
    core: { ...core, config: { ...core.config, mail } },
    publicUrl,
    now: () => now,
    dropAbandoned: (at) => dropAbandoned(deps, at),
  });
  const { signal } = new AbortController();
  await runs['merchant-mails']([], signal);
  // The program looks for them, too, and without PUBLIC_URL puts them off.
  while ((await core.pool.query(`update jobs set due_at = now() where kind = 'bridge-mail' and lease is null`)).rowCount || (await isAnyLeft(core))) {
    const done = await claimJobs(core.pool, 'bridge-mail', { size: 100, leaseMs: 60_000 });
    await runs['bridge-mail'](done, signal);
    await settleJobs(core.pool, { done, left: [] });
  }
}

async function isAnyLeft({ pool }: Core): Promise<boolean> {
  return (await pool.query(`select from jobs where kind = 'bridge-mail'`)).rowCount !== 0;
}
