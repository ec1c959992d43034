import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { ListedEndpoint } from '../../bridge/ledger/events/endpoint-store.ts';
import type { ListedEvent } from '../../bridge/ledger/events/event-store.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localOrNone, localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { withCore } from '../with-core.ts';

const ENDPOINT = ['<endpoint>', 'its id, or the beginning of it, from `orderbridge events`'] as const;
const SIGNED = 'Requests are signed as Standard Webhooks says; docs/reference/events.schema.json describes them.';

export function eventsCommand(context: CliContext): Command {
  const acts = async () => import('../../operations/events.ts');
  const list = new Command('list')
    .description('Lists the addresses that events are sent to, or the last events to one of them.')
    .argument('[endpoint]', ENDPOINT[1])
    .option('--json', 'print JSON: an array of endpoints, or of events')
    .action((endpoint: string | undefined, { json }: Json) =>
      withCore(context, (core) => (endpoint === undefined ? listAll(context, core, json) : listEventsOf(context, core, { endpoint, json }))),
    );
  const enable = new Command('enable')
    .description('Sends events again to an address that was disabled, those first that it missed: it answered 410, or took no event for three days.')
    .argument(...ENDPOINT)
    .action((id: string) =>
      withCore(context, async (core) =>
        printLines(context, [`Events are sent to ${await (await acts()).enableEndpoint(core, { id, by: cliActor() })} again.`]),
      ),
    );
  const remove = new Command('remove')
    .description('Sends an address no more events, and deletes what it was sent.')
    .argument(...ENDPOINT)
    .action((id: string) =>
      withCore(context, async (core) =>
        printLines(context, [`Nothing is sent to ${await (await acts()).removeEndpoint(core, { id, by: cliActor() })} any more.`]),
      ),
    );
  const replay = new Command('replay')
    .description('Sends an event again, under the same webhook-id.')
    .argument('<event>', 'its id, from `orderbridge events list ENDPOINT`')
    .action((id: string) =>
      withCore(context, async (core) => {
        await (await acts()).replayEvent(core, { id, by: cliActor() });
        printLines(context, ['It is sent again.']);
      }),
    );
  const events = new Command('events').description(`Tells programs of others what becomes of orders and months. ${SIGNED}`);
  for (const command of [addCommand(context), rotateCommand(context), enable, remove, replay]) events.addCommand(command);
  return events.addCommand(list, { isDefault: true });
}

function addCommand(context: CliContext): Command {
  return new Command('add')
    .description(`Has events sent to an address from now on, and prints the secret that signs them, once. ${SIGNED}`)
    .argument('<url>', 'the address: https, and public unless ALLOW_PRIVATE_ADDRESSES is set')
    .option('--connection <connection>', 'of this store only: its name, or the beginning of its id')
    .option('--company <number>', 'of the shops of this company (ЕИК) only')
    .option('--with-buyers', 'send buyers, too: name, e-mail, phone')
    .option('--json', 'print JSON: id, secret')
    .action((url: string, { json, withBuyers, ...of }: AddOptions) =>
      withCore(context, async (core) => {
        const { addEndpoint } = await import('../../operations/events.ts');
        const made = await addEndpoint(core, { url, ...of, withBuyers: withBuyers === true, by: cliActor() });
        if (json) return printJson(context, made);
        printLines(context, [`Events are sent there from now on; the endpoint is ${made.id}. The secret is shown once:`, made.secret]);
      }),
    );
}

function rotateCommand(context: CliContext): Command {
  return new Command('rotate-secret')
    .description('Makes a new secret for an address, and prints it. For a day the old one signs, too: the signature header lists both.')
    .argument(...ENDPOINT)
    .option('--revoke-now', 'the old secret signs no more from this moment, for one that has leaked')
    .option('--json', 'print JSON: id, secret, oldUntil')
    .action((id: string, { json, revokeNow }: Json & { revokeNow?: true }) =>
      withCore(context, async (core) => {
        const { rotateEndpoint } = await import('../../operations/events.ts');
        const rotated = await rotateEndpoint(core, { id, revokeNow: revokeNow === true, by: cliActor() });
        if (json) return printJson(context, rotated);
        const { secret, oldUntil } = rotated;
        const old = oldUntil === null ? 'The old secret signs no more.' : `The old secret also signs until ${localTime(oldUntil)}.`;
        printLines(context, [`${old} The new one is shown once:`, secret]);
      }),
    );
}

type Json = { json?: true };
type AddOptions = Json & { connection?: string; company?: string; withBuyers?: true };

const MOST_LISTED = 50;

async function listAll(context: CliContext, core: Core, json: true | undefined): Promise<void> {
  const { listEndpoints } = await import('../../bridge/ledger/events/endpoint-store.ts');
  const all = await listEndpoints(core.pool);
  if (json) return printJson(context, all);
  if (all.length === 0) return printLines(context, ['No events are sent yet; `orderbridge events add URL` begins.']);
  printTable(context, {
    header: ['address', 'of', 'state', 'waiting', 'delivered', 'endpoint'],
    rows: all.map((one) => [one.url, scopeOf(one), stateOf(one), String(one.waiting), localOrNone(one.deliveredAt), one.id]),
    give: ['address'],
    keep: ['state', 'endpoint'],
    tones: { state: (state) => (state === 'works' ? 'good' : 'bad') },
  });
}

function scopeOf({ shopId, company, withBuyers }: ListedEndpoint): string {
  const of = company !== null ? `company ${company}` : shopId !== null ? `shop ${shopId}` : 'all';
  return withBuyers ? `${of}, with buyers` : of;
}

function stateOf({ disabledAs, isFailing }: ListedEndpoint): string {
  if (disabledAs !== null) return `disabled: ${disabledAs}`;
  return isFailing ? 'fails' : 'works';
}

async function listEventsOf(context: CliContext, core: Core, { endpoint, json }: { endpoint: string; json: true | undefined }): Promise<void> {
  const { listEvents } = await import('../../bridge/ledger/events/event-store.ts');
  const { knownEndpoint, seeAnswers } = await import('../../operations/events.ts');
  const events = await listEvents(core.pool, (await knownEndpoint(core, endpoint)).id, MOST_LISTED);
  if (json) {
    await seeAnswers(core, events, cliActor());
    return printJson(context, events);
  }
  if (events.length === 0) return printLines(context, ['Nothing was to be sent there yet.']);
  // What may repeat a buyer is only in the JSON.
  const answerOf = ({ status, answer, tookMs, hasBuyer }: ListedEvent) =>
    tookMs === null ? '' : oneLine(`${status ?? 'none'} in ${tookMs} ms ${(hasBuyer && status !== null ? null : answer) ?? ''}`);
  printTable(context, {
    header: ['at', 'type', 'outcome', 'tries', 'answer', 'event'],
    rows: events.map((event) => [localTime(event.createdAt), event.type, event.outcome ?? 'waits', String(event.attempts), answerOf(event), event.id]),
    keep: ['type', 'event'],
    give: ['answer'],
  });
}
