import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/alerts.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/alerts.ts');

/** `orderbridge alerts` */
export function alertsCommand(context: CliContext): Command {
  const test = new Command('test')
    .description(
      'Sends a test by every channel of the configuration at once (ALERT_MAIL_TO, ALERT_SLACK_URL, ALERT_WEBHOOK_URL), fetches HEARTBEAT_URL, and prints ' +
        'what each answered. Exit code 1 if one did not take it. A channel that took it is not reported as broken any more.',
    )
    .action(() => withCore(context, async (core) => (await actions()).testAll(context, core)));
  const list = new Command('list')
    .description('Lists the last 50 messages: when, by which channel, what became of it, and what it says.')
    .option('--json', 'print JSON: id, channel, kind, body, createdAt, attempts, sentAt, failedAt, lastError')
    .action((options: Options) => withCore(context, async (core) => (await actions()).listLast(context, core, options)));
  return new Command('alerts').description('Tests the channels of alerts, and lists what was told.').addCommand(test).addCommand(list);
}
