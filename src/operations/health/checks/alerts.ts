import { mailChannelName } from '../../../bridge/alerts/channels.ts';
import { brokenChannels } from '../../../bridge/ledger/alerts/alert-outbox.ts';
import type { Config } from '../../../config/config.ts';
import { counted } from '../../../contract/plural.ts';
import { type Check, type Codes, failedBy } from '../check.ts';

export const codes = {
  'alerts.broken': {
    level: 'attention',
    what: 'alerts',
    en: 'Alerts don’t arrive.',
    bg: 'Предупрежденията не пристигат.',
    isWrong: true,
    bgOf: ({ subject }) => `Предупрежденията не пристигат: ${subject ?? ''}.`,
    quotes: true,
  },
} as const satisfies Codes;

const failedOf = failedBy(codes);

/** Channels of alerts that take none: the others tell it. */
export const alertCheck: Check = {
  name: 'alerts',
  codes: ['alerts.broken'],
  async read({ pool, config }) {
    const broken = await brokenChannels(pool);
    return broken
      .filter(({ channel }) => mayBeUsed(config, channel))
      .map(({ channel, failed, since }) => {
        const words = `${channel}: ${counted.en(failed, 'alert', 'alerts')} could not be sent, and none has been since; \`orderbridge alerts test\` says why`;
        return failedOf('alerts.broken', { subject: channel, count: failed, since, words, verb: 'alerts test' });
      });
  },
};

/** One that was taken out of the configuration is not broken. Who has no channel at all, such as a receiver, does not know which there are. */
function mayBeUsed({ alerts }: Pick<Config, 'alerts'>, channel: string): boolean {
  const { mailTo = [], slackUrl = null, webhook = null } = alerts ?? {};
  const used = [...mailTo.map((_, place) => mailChannelName(place)), ...(slackUrl === null ? [] : ['slack']), ...(webhook === null ? [] : ['webhook'])];
  return used.length === 0 || used.includes(channel);
}
