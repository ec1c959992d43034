import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Activity, changedFields } from '../../operations/activity/list-activity.ts';
import type { KeyedEvent, TailedEvent } from '../../operations/activity/tail.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, type PrintedTable, printJson, printJsonLine, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { duration, wholeNumber } from '../input/arguments.ts';
import { readSecret } from '../input/read-secret.ts';
import { goesWith } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

export function activityCommand(context: CliContext): Command {
  return new Command('activity')
    .description(
      'Lists what was done, the newest first: each command that changed something, with who gave it (cli:user@host), what was before and after, and why; ' +
        'and where the program itself sent an order to review, or ended its review (orderbridge). Nothing in this list is ever changed or removed. ' +
        'What was done at our own compliance service is listed without --order and --connection.',
    )
    .option('--order <order>', 'only what was done about this order: its id or number')
    .option('--connection <id>', 'only what was done about this connection and its orders')
    .option('--limit <n>', 'how many at most', wholeNumber, 100)
    .option('--json', 'print JSON: an array of {id, at, auditLog, who, act, means, bg, connectionId, store, order, subject, before, after, why}')
    .action((options: Options) => withCore(context, (core) => activity(context, core, options)));
}

export function tailCommand(context: CliContext): Command {
  return new Command('tail')
    .description(
      'Prints what happens, a line each, until Ctrl-C: webhooks accepted and refused and what they did, what is submitted and answered, receipts, orders that ' +
        'need review, pauses, readings of stores, and acts of people. No buyers. It reads the ledger once a second, beside a running server in whatever roles; ' +
        'a server whose events nobody tails does nothing for it. Refused webhooks show within 5 seconds.',
    )
    .argument('[connection]', 'id of the connection; all of them if left out')
    .option('--since <time>', 'begin with what happened in the last 30s, 10m or 2h', duration)
    .option(
      '--json',
      'print JSON, one line each: {at, of, webhookId, connectionId, store, orderRef, orderId, number, words}; of: delivery, refusal, step, sync, act or pause; orderRef: the id that other commands take as id:12',
    )
    .option(
      '--forward-to <url>',
      'send each accepted webhook there as its store would, and print only what was answered. Buyers’ data goes along, and that it was seen is an act; so only to https:// and private addresses',
    )
    .option('--secret <secret>', 'what forwarded webhooks are signed with (whsec_…); a new one, printed, if left out')
    .action((connection: string | undefined, options: TailOptions) => {
      if (options.forwardTo === undefined) goesWith('--forward-to', { '--secret': options.secret });
      return withCore(context, (core) => follow(context, core, { connection, ...options }));
    });
}

type Options = { order?: string; connection?: string; limit: number; json?: true };

async function activity(context: CliContext, core: Core, { json, ...asked }: Options): Promise<void> {
  const { changedFields, listActivity, namedSubject, namesInActs } = await import('../../operations/activity/list-activity.ts');
  const acts = await listActivity(core, asked);
  if (json) return printJson(context, acts);
  if (acts.length === 0) return printLines(context, ['Nothing was done yet.']);
  const names = await namesInActs(core);
  const named = acts.map((act) => ({ ...act, who: names.get(act.who) ?? act.who, subject: act.subject === null ? null : namedSubject(act.subject, names) }));
  printTable(context, activityTable(named, changedFields));
}

const LONGEST = 160;

/** Acts for people, a line each. */
function activityTable(acts: readonly Activity[], fieldsOf: typeof changedFields): PrintedTable {
  return {
    header: ['time', 'who', 'what', 'about', 'change', 'why'],
    rows: acts.map((act) => [localTime(act.at), act.who, act.means.replace(/\.$/, ''), aboutWords(act), changeWords(fieldsOf(act)), act.why]),
    give: ['why', 'change'],
    keep: ['time'],
  };
}

/** What an act was done to: the order and its store, and whatever else it names. */
function aboutWords({ order, store, connectionId, subject }: Pick<Activity, 'order' | 'store' | 'connectionId' | 'subject'>): string | null {
  const named = order === null ? null : `order ${order.number ?? order.orderId}`;
  const parts = [named, store ?? connectionId, subject].filter((word) => word !== null);
  return parts.length === 0 ? null : oneLine(parts.join(', '));
}

/** The difference in short: `name: a → b`; nested fields by their path. */
function changeWords(changed: ReturnType<typeof changedFields>): string | null {
  const fields = changed.map(({ field, was, is }) => {
    const name = field === '' ? '' : `${field}: `;
    return was === null ? `${name}${is}` : `${name}${was} → ${is ?? '-'}`;
  });
  const words = oneLine(fields.join('; '));
  if (words === '') return null;
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

type TailOptions = { since?: number; json?: true; forwardTo?: string; secret?: string };

async function follow(
  context: CliContext,
  core: Core,
  { connection, since, json, forwardTo, secret }: TailOptions & { connection: string | undefined },
): Promise<void> {
  const { tail } = await import('../../operations/activity/tail.ts');
  const from = since === undefined ? null : new Date(Date.now() - since).toISOString();
  const forward = forwardTo === undefined ? async ({ event }: KeyedEvent) => event : await openForward(context, core, { url: forwardTo, secret });
  for await (const tailed of tail(core, { connection: connection ?? null, since: from, signal: context.signal })) {
    if ('lost' in tailed) note(context, `The database does not answer (${tailed.lost}); what happens meanwhile is printed once it does.`);
    else if ('back' in tailed) note(context, 'The database answers again.');
    else printEvent(context, await forward(tailed), { isJson: json === true });
  }
}

function printEvent(context: CliContext, event: TailedEvent | null, { isJson }: { isJson: boolean }): void {
  if (event === null) return;
  if (isJson) printJsonLine(context, event);
  else printLines(context, [lineOf(event)]);
}

/** Sends an event on that is a webhook; null: it is none. */
async function openForward(
  context: CliContext,
  core: Core,
  { url, secret: given }: { url: string; secret: string | undefined },
): Promise<(keyed: KeyedEvent) => Promise<TailedEvent | null>> {
  const { forwardDelivery, mustCarryBuyers } = await import('../../operations/webhooks/forward.ts');
  const { randomBytes } = await import('node:crypto');
  mustCarryBuyers(url, core.config);
  const secret = given === undefined ? `whsec_${randomBytes(32).toString('base64')}` : await readSecret(context, '--secret', given);
  note(context, `Webhooks are sent on to ${url} with buyers’ data${given === undefined ? `, signed with the secret ${secret}` : ''}.`);
  return async ({ event }) => {
    const id = event.of === 'delivery' ? event.webhookId : null;
    if (id === null) return null;
    const words = await forwardDelivery(core, { id, url, secret, by: cliActor() });
    return words === null ? null : { ...event, words: `${event.words.split(':')[0]}: ${words}` };
  };
}

function lineOf({ at, store, connectionId, orderId, number, words }: TailedEvent): string {
  const order = number ?? orderId;
  const about = [store ?? connectionId, order === null ? null : `order ${order}`].filter((word) => word !== null);
  return [localTime(at), ...(about.length === 0 ? [] : [oneLine(about.join(', '))]), oneLine(words)].join('  ');
}
