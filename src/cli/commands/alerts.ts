import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { ListedAlert } from '../../bridge/ledger/alerts/alert-outbox.ts';
import { counted } from '../../contract/plural.ts';
import type { TestedChannel } from '../../operations/alerts.ts';
import { errorWords } from '../../platform/error-words.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { note, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { markTone, sendingTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';

export function alertsCommand(context: CliContext): Command {
  const test = new Command('test')
    .description(
      'Sends a test by every channel of the configuration at once (ALERT_MAIL_TO, ALERT_SLACK_URL, ALERT_WEBHOOK_URL), fetches HEARTBEAT_URL, and prints ' +
        'what each answered. Exit code 1 if one did not accept it. A channel that accepted it is no longer reported as broken.',
    )
    .action(() => withCore(context, (core) => testAll(context, core)));
  const list = new Command('list')
    .description('Lists the last 50 messages: when, by which channel, with what outcome, and what it says.')
    .option('--json', 'print JSON: id, channel, kind, body, createdAt, attempts, sentAt, failedAt, lastError')
    .action((options: Options) => withCore(context, (core) => listLast(context, core, options)));
  return new Command('alerts').description('Tests the channels of alerts, and lists what they reported.').addCommand(test).addCommand(list);
}

type Options = { json?: true };

const MOST_LISTED = 50;

async function testAll(context: CliContext, { config, pool }: Core): Promise<void> {
  const { NO_ALERTS, openChannels, openPost } = await import('../../app/alerter.ts');
  const { heartbeatProblem } = await import('../../bridge/alerts/heartbeat.ts');
  const { testChannels } = await import('../../operations/alerts.ts');
  const { heartbeatUrl } = config.alerts ?? NO_ALERTS;
  const channels = openChannels(config, (err) => note(context, errorWords(err)));
  if (channels.length === 0 && heartbeatUrl === null) {
    throw new CliError('nothing is reported when something is wrong: set ALERT_MAIL_TO, ALERT_SLACK_URL or ALERT_WEBHOOK_URL, and HEARTBEAT_URL');
  }
  const tested = await testChannels({ pool, channels, newId: () => crypto.randomUUID(), now: new Date() });
  const rows = tested.map(row);
  if (heartbeatUrl !== null) rows.push(heartbeatRow(heartbeatUrl.reveal(), await heartbeatProblem(openPost(config), heartbeatUrl.reveal())));
  printTable(context, { header: ['', 'channel', 'to', 'answer'], rows, wrap: 'answer', keep: [''], tones: { '': markTone } });
  const failed = rows.filter(([mark]) => mark !== 'ok').map(([, name]) => name);
  if (failed.length > 0) throw new CliError(`not sent: ${failed.join(', ')}; correct the variable, start the server again, and repeat the test`);
}

function row({ name, where, sent }: TestedChannel): string[] {
  return sent.kind === 'sent' ? ['ok', name, where, sent.words] : ['WRONG', name, where, sent.why];
}

function heartbeatRow(url: string, problem: string | null): string[] {
  return [problem === null ? 'ok' : 'WRONG', 'heartbeat', new URL(url).host, problem ?? 'it accepted the sign of life'];
}

async function listLast(context: CliContext, { pool, config }: Core, { json }: Options): Promise<void> {
  const { alertText } = await import('../../bridge/alerts/alert-text.ts');
  const { listAlerts } = await import('../../bridge/ledger/alerts/alert-outbox.ts');
  const alerts = await listAlerts(pool, MOST_LISTED);
  if (json) return printJson(context, alerts);
  if (alerts.length === 0) return printLines(context, [`Nothing was reported in the last ${counted.en(config.keepDays.outbox, 'day', 'days')}.`]);
  const rows = alerts.map((alert) => [
    localTime(alert.createdAt),
    alert.channel,
    stateOf(alert),
    withLocalTimes(alertText(alert.body, { statusUrl: null }).subject),
  ]);
  printTable(context, { header: ['at', 'channel', 'state', 'what'], rows, wrap: 'what', tones: { state: sendingTone } });
}

function stateOf({ sentAt, failedAt, attempts, lastError }: ListedAlert): string {
  if (sentAt !== null) return 'sent';
  if (failedAt !== null) return `failed: ${lastError ?? ''}`;
  return attempts === 0 ? 'waiting' : `waiting: ${lastError ?? 'being sent'}`;
}
