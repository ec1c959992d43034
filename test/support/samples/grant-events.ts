import * as events from '../../../src/bridge/bridge-events.ts';
import type { LoggedEvent } from './logged-events.ts';

const words = 'grants of merchants that nothing had renewed for a day';

/** The lines about what merchants granted to apps. */
export const grantEvents: LoggedEvent[] = [
  [
    'uninstalledLate',
    (log) => events.uninstalledLate(log, 'c_1'),
    {
      ...{ level: 'info', event: 'uninstalled.late', connection: 'c_1' },
      msg: 'word came that the app was uninstalled, and the store still lets it in: it was left alone',
    },
  ],
  [
    'grantsKept',
    (log) => events.grantsKept(log, { renewed: 3, refused: 0, left: 1 }),
    { level: 'info', event: 'grants.kept', renewed: 3, refused: 0, left: 1, msg: words },
  ],
  [
    'grantsKept',
    (log) => events.grantsKept(log, { renewed: 0, refused: 1, left: 0 }),
    { level: 'warn', event: 'grants.kept', renewed: 0, refused: 1, left: 0, msg: words },
  ],
  [
    'grantFailed',
    (log) => events.grantFailed(log, { connectionId: 'c1', err: new Error('broken') }),
    {
      level: 'error',
      event: 'grant.failed',
      connection: 'c1',
      err: 'an error',
      msg: 'renewing the grant of a merchant failed; it is retried within the hour',
    },
  ],
];
