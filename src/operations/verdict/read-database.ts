import { inspectDatabase } from '../../bridge/ledger/inspect-database.ts';
import { clockReason } from './clock-reason.ts';
import type { Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';

/** Whether the database keeps what it was given, and has our time. That it answers is asked before. */
export const databaseReader: Reader = {
  codes: ['database.unsafe', 'clock.off'],
  async read({ pool }) {
    const began = Date.now();
    const { version, now, fsync, synchronousCommit } = await inspectDatabase(pool);
    const clock = clockReason('the database', (began + Date.now()) / 2 - Date.parse(now));
    if (fsync !== 'on') {
      return [
        ...clock,
        reasonOf('database.unsafe', { subject: 'fsync', words: `PostgreSQL ${version} with fsync ${fsync}: a power cut destroys the ledger; set fsync on` }),
      ];
    }
    if (synchronousCommit !== 'off') return clock;
    const words = `PostgreSQL ${version} with synchronous_commit off: a crash loses what was recorded; set it on`;
    return [...clock, reasonOf('database.unsafe', { subject: 'synchronous_commit', words })];
  },
};
