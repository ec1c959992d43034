import { openComplianceAccess } from '../../app/compliance-access.ts';
import type { Core } from '../../app/core.ts';
import { createStoreFetch } from '../../app/store-fetch.ts';
import { webhookBase } from '../../app/webhook-base.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { type Connected, connectStore } from '../../operations/connections/connect-store.ts';
import { URL_WARNING, urlWarning } from '../../operations/connections/host-warnings.ts';
import { keepTrial } from '../../operations/connections/keep-trial.ts';
import { withPatience } from '../../operations/connections/try-access.ts';
import { webhookAddress } from '../../operations/connections/webhook-address.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { textFields } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { type ConnectOptions, readConnectInput } from '../input/connect-input.ts';
import { noteSettings } from '../note-settings.ts';
import { noteHeld, patienceOf } from '../one-first.ts';
import { connectSteps } from '../text/connect-steps.ts';
import { earlierStoreWords } from '../text/earlier-store-words.ts';
import { noteSecret, noteTrial, tryBefore } from '../try-before.ts';
import { withNotify } from '../with-queues.ts';

export type Options = ConnectOptions & { strict?: true; json?: true };

export async function connect(context: CliContext, options: Options): Promise<void> {
  // Problems of the input are reported before anything is opened.
  const input = await readConnectInput(context, options);
  await withNotify(context, async (core, notify) => {
    await using compliance = await openComplianceAccess(core);
    const { pool, connections, config } = core;
    const storefront = storefrontOf(storefronts, input.platform);
    const fetchJson = withPatience(createStoreFetch(config));
    const trial = await tryBefore({ core, compliance }, { ...input, storefront, fetchJson, strict: options.strict === true });
    const connected = await connectStore(
      { pool, connections, compliance, fetchJson, trustedHttpHosts: config.trustedHttpHosts, notify, patience: patienceOf(context, {}), by: cliActor() },
      input,
    );
    noteSettings(context, input.settings);
    noteHeld(context, connected.held);
    await keepTrial(core, connected.connection.id, trial);
    noteTrial(context, trial);
    noteSecret(context, storefront, input.secret);
    const warning = options.storeUrl === undefined ? null : urlWarning(storefront, options.storeUrl);
    if (warning !== null) await connections.warn(connected.connection.id, URL_WARNING, warning);
    await report(context, core, { connected, json: options.json === true });
  });
}

async function report(context: CliContext, { config }: Core, { connected, json }: { connected: Connected; json: boolean }): Promise<void> {
  const { connection, earlier } = connected;
  const { id: connectionId, platform, recordFrom, trialSince } = connection;
  const { topics, alsoTopics = [] } = storefrontOf(storefronts, platform);
  const address = webhookAddress(await webhookBase(config), connection);
  if (json) {
    const before = earlier.is === 'none' ? null : { is: earlier.is, connectionId: earlier.earlier.id };
    const gap = earlier.is === 'same' ? earlier.gap : null;
    return printJson(context, {
      connectionId,
      webhookUrl: address,
      platform,
      shop: connection.shopId,
      recordFrom,
      trialSince,
      topics,
      alsoTopics,
      earlierStore: before,
      gap,
    });
  }
  printLines(context, [
    ...textFields([
      ['connectionId', connectionId],
      ['webhookUrl', address],
      ['recordFrom', recordFrom],
      ...(trialSince === null ? [] : [['trialSince', trialSince] satisfies [string, string]]),
    ]),
    '',
    ...earlierStoreWords(connection, earlier),
    ...connectSteps(connection, address),
    ...(config.publicUrl === null
      ? ['Set PUBLIC_URL to the address under which stores on the internet reach this server; localhost is for trying it out.']
      : []),
  ]);
}
