import { mailChannelName } from '../../bridge/alerts/channel.ts';
import { brokenChannels } from '../../bridge/ledger/alert-outbox.ts';
import { type UndoneOutboxJobs, undoneOutboxJobs } from '../../bridge/ledger/outbox-job-store.ts';
import type { Config } from '../../config/config.ts';
import type { Reader } from './look.ts';
import { type Reason, reasonOf } from './verdict.ts';

/** Buyers that were erased here and that a compliance service still has, and deliveries that it was not told of. */
export const outboxJobReader: Reader = {
  codes: ['privacy.not-forgotten', 'deliveries.not-reported'],
  read: async ({ pool }) => (await undoneOutboxJobs(pool)).map((undone) => (undone.kind === 'forget-buyer' ? notForgotten(undone) : notTold(undone))),
};

function notForgotten({ problem, destinationId: subject, count, since, records, detail }: UndoneOutboxJobs): Reason {
  const whose = `the ${count === 1 ? 'buyer of 1 order was' : `buyers of ${count} orders were`} erased here, and the compliance service`;
  const which = `${records.join(', ')}${count > records.length ? ' and others' : ''}`;
  const why =
    problem === 'failed'
      ? failed(detail)
      : `can’t be told by a program (COMPLIANCE_FORGETS_BUYERS): ask its operator to forget the buyers of its orders ${which}`;
  return reasonOf('privacy.not-forgotten', { subject, count, since, words: `${whose} ${why}` });
}

function notTold({ problem, destinationId: subject, count, since, detail }: UndoneOutboxJobs): Reason {
  const which = `${count} ${count === 1 ? 'order was' : 'orders were'} delivered, and the compliance service`;
  const why = problem === 'failed' ? failed(detail) : 'takes no deliveries (COMPLIANCE_DELIVERED): set `monthBy` to `order`';
  return reasonOf('deliveries.not-reported', { subject, count, since, words: `${which} ${why}` });
}

function failed(detail: string | null): string {
  return `could not be told since (${detail ?? 'no answer'}); it is tried again by itself`;
}

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
