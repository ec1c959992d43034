import { merchantsNotMailed } from '../bridge/alerts/alert-events.ts';
import { rateLimit } from '../platform/rate-limit.ts';
import { wholeMs } from '../platform/whole-ms.ts';
import { repeat } from './alerter/repeat.ts';
import type { Core } from './core.ts';
import { merchantMailer } from './merchant-mailer.ts';

/** However seldom it sweeps. */
const LONGEST_PAUSE_MS = 60_000;
const SWEEPS_PER_LOOK = 12;
const STOP_SHARE = { mostMs: 3_000, keepMs: 3_000 };

/** Mails merchants what only they can put right. Any number of processes may do so. */
export function startMerchantMails(core: Core): AsyncDisposable {
  const { config, log, stop } = core;
  const { publicUrl, sweepSeconds } = config;
  const look = merchantMailer({ core, publicUrl, now: () => new Date() });
  const onFailed = rateLimit((err: unknown) => merchantsNotMailed(log, err), { most: 1, now: () => performance.now() });
  const looks = repeat(() => look().catch(onFailed), Math.min(wholeMs(sweepSeconds * 1000) * SWEEPS_PER_LOOK, LONGEST_PAUSE_MS));
  return { [Symbol.asyncDispose]: () => stop.wait('mails to merchants', looks.end(), STOP_SHARE) };
}
