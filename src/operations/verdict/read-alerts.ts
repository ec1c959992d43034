import { brokenChannels } from '../../bridge/ledger/broken-channels.ts';
import type { Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';

/** Channels of alerts that take none: the others tell it. */
export const alertReader: Reader = {
  codes: ['alerts.broken'],
  async read({ pool }) {
    return (await brokenChannels(pool)).map(({ channel, failed, since }) => {
      const words = `${channel}: ${failed} ${failed === 1 ? 'alert' : 'alerts'} could not be sent, and none has been since; \`orderbridge alerts test\` says why`;
      return reasonOf('alerts.broken', { subject: channel, count: failed, since, words, verb: 'alerts test' });
    });
  },
};
