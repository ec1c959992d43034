import { mailChannelName } from '../../bridge/alerts/channel.ts';
import { brokenChannels } from '../../bridge/ledger/broken-channels.ts';
import type { Config } from '../../config/config.ts';
import type { Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';

/** Channels of alerts that take none: the others tell it. */
export const alertReader: Reader = {
  codes: ['alerts.broken'],
  async read({ pool, config }) {
    const broken = await brokenChannels(pool);
    return broken
      .filter(({ channel }) => mayBeUsed(config, channel))
      .map(({ channel, failed, since }) => {
        const words = `${channel}: ${failed} ${failed === 1 ? 'alert' : 'alerts'} could not be sent, and none has been since; \`orderbridge alerts test\` says why`;
        return reasonOf('alerts.broken', { subject: channel, count: failed, since, words, verb: 'alerts test' });
      });
  },
};

/** One that was taken out of the configuration is not broken. Who has no channel at all, such as a receiver, does not know which there are. */
function mayBeUsed({ alerts }: Pick<Config, 'alerts'>, channel: string): boolean {
  const { mailTo = [], slackUrl = null, webhook = null } = alerts ?? {};
  const used = [...mailTo.map((_, place) => mailChannelName(place)), ...(slackUrl === null ? [] : ['slack']), ...(webhook === null ? [] : ['webhook'])];
  return used.length === 0 || used.includes(channel);
}
