import { foldLine } from '../platform/terminal/fold-line.ts';
import { textTable } from '../platform/terminal/text-table.ts';
import { stateText } from './judge.ts';
import { type Opened, OWNER } from './open-console.ts';
import type { StoryOutcome } from './play-stories.ts';

/** `width`: the columns of the terminal; undefined: it is none. A row for each order, then the faults of those that did not end as they should. */
export function ordersTable(outcomes: readonly StoryOutcome[], width: number | undefined): string[] {
  const rows = outcomes.map(({ store, story, verdict: { ended, faults } }) => [
    faults.length === 0 ? '✓' : '✗',
    `${store.platform} ${story.number}`,
    story.what,
    stateText(ended),
    ended.total,
    story.ends.total,
  ]);
  const faulty = outcomes.filter(({ verdict }) => verdict.faults.length > 0);
  const lines = [
    ...textTable([' ', 'order', 'what happened', 'state', 'recorded', 'expected'], rows, { width, keep: [' ', 'recorded', 'expected'] }),
    '',
    'recorded: the total that is recorded at the compliance service, the same as in our ledger, in EUR with VAT.',
    `${outcomes.length - faulty.length} of ${outcomes.length} orders ended as they should.`,
    ...faulty.map(({ store, story, verdict }) => `✗ ${store.platform} ${story.number}: ${verdict.faults.join('; ')}`),
  ];
  return width === undefined ? lines : lines.flatMap((line) => foldLine(line, width));
}

type Places = Opened & { url: string; adminToken: string; dataDir: string; logFile: string; outcomes: readonly StoryOutcome[] };

/** How to go on with the folder of a demo that is over. */
export function keptWords(dataDir: string): string[] {
  return [`The folder is kept: ${dataDir}`, `Go on with it:  DATA_DIR=${dataDir} ./orderbridge start`];
}

/** What to look at and try while the demo runs. */
export function whereToLook({ url, adminToken, dataDir, logFile, outcomes, link, receipt }: Places): string[] {
  const richest = outcomes.toSorted((a, b) => b.story.webhooks.length - a.story.webhooks.length)[0];
  const command = `DATA_DIR=${dataDir} ./orderbridge`;
  return [
    '',
    'Open the console, signed in as its owner (once, within 15 minutes):',
    '',
    `  ${link}`,
    '',
    'A story to finish: Needs a person → “econt_pay” has no payment type → Choose: Postal money order → Check on one order → Release the other 11.',
    'Another: Months → Липа, the file of last month → look, download, then say that it is filed.',
    '',
    'It stays up until Ctrl-C. Look around:',
    `  receipt   ${receipt}   (as the buyer got it by mail)`,
    `  queues    ${url}/admin/queues   user: any, password: ${adminToken}`,
    `  metrics   ${url}/metrics`,
    `  health    ${url}/readyz`,
    `  log       ${logFile}`,
    '',
    'In another terminal, in this folder:',
    `  ${command} orders`,
    `  ${command} review`,
    `  ${command} connections`,
    `  ${command} people reset ${OWNER}   (a link by which a password is chosen, if that above was used)`,
    ...(richest === undefined ? [] : [`  ${command} order ${richest.connectionId} ${richest.story.orderId}   (everything known of one order)`]),
  ];
}
