import { openComplianceAccess } from '../app/compliance-access.ts';
import type { Core } from '../app/core.ts';
import { createStoreFetch } from '../app/store-fetch.ts';
import { webhookBase } from '../app/webhook-base.ts';
import { liveSecrets } from '../bridge/connections/connection.ts';
import type { Notify } from '../bridge/delivery/notify.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { storefrontOf } from '../bridge/storefronts/storefront-of.ts';
import { keepTrial } from '../operations/connections/keep-trial.ts';
import { knownConnection } from '../operations/connections/known-connection.ts';
import { type Changes, type Reconnected, reconnectStore, requireLive } from '../operations/connections/reconnect-store.ts';
import { withPatience } from '../operations/connections/try-access.ts';
import { webhookAddress } from '../operations/connections/webhook-address.ts';
import type { CliContext } from '../platform/terminal/context.ts';
import { cliActor } from './actor.ts';
import { type ReconnectOptions, readReconnectInput } from './input/reconnect-input.ts';
import { noteSettings } from './note-settings.ts';
import { noteHeld, patienceOf } from './one-first.ts';
import { plural } from './text/plural.ts';
import { noteSecret, noteTrial, tryBefore } from './try-before.ts';

type Opened = { core: Core; notify: Notify; id: string };

/** What was changed of a connection. `shown` is for programs. */
export type ChangedConnection = {
  shown: { webhookUrl: string; recordFrom: string; oldSecretUntil: string | null; readAnew: boolean; released: number };
  changes: Changes;
  reconnected: Reconnected;
};

/** Changes the parts of a live connection that the flags of `reconnect` give. */
export async function changeConnection(context: CliContext, { core, notify, id }: Opened, options: ReconnectOptions): Promise<ChangedConnection> {
  const { pool, connections, config } = core;
  const before = await knownConnection(connections, id);
  requireLive(before);
  const changes = await readReconnectInput(context, before, options);
  await using compliance = await openComplianceAccess(core);
  const storefront = storefrontOf(storefronts, before.platform);
  const fetchJson = withPatience(createStoreFetch(config));
  const { access, credentials } = changes;
  const secret = changes.secret ?? liveSecrets(before, Date.now())[0];
  const shopId = credentials === null ? null : before.shopId;
  const trial = await tryBefore({ core, compliance }, { storefront, access, secret, fetchJson, shopId, credentials, strict: options.strict === true });
  const deps = {
    pool,
    connections,
    compliance,
    fetchJson,
    trustedHttpHosts: config.trustedHttpHosts,
    notify,
    patience: patienceOf(context, {}),
    by: cliActor(),
  };
  const reconnected = await reconnectStore(deps, before, changes);
  noteSettings(context, changes.settings);
  noteHeld(context, reconnected.held);
  await keepTrial(core, id, trial);
  noteTrial(context, trial);
  noteSecret(context, storefront, changes.secret);
  const { connection, oldUntil: oldSecretUntil, isReadAnew: readAnew, released } = reconnected;
  const webhookUrl = webhookAddress(await webhookBase(config), before);
  return { shown: { webhookUrl, recordFrom: connection.recordFrom, oldSecretUntil, readAnew, released }, changes, reconnected };
}

export function changeLines(id: string, { reconnected, changes }: ChangedConnection): string[] {
  const { connection, released, oldUntil, otherStore, heldHost, isReadAnew } = reconnected;
  return [
    `${id} is changed; its webhook address is the same.`,
    ...(otherStore ? ['The store at this address says that it is another one than before: check the address and the keys.'] : []),
    ...(isReadAnew ? ['What was being read of the store is read anew, from its beginning; what was found before stays.'] : []),
    ...(heldHost === null ? [] : [`Webhooks that name ${heldHost} are held; if the store moved there, \`orderbridge reconnect ${id} --moved ${heldHost}\`.`]),
    ...(oldUntil === null ? [] : [`The old secret is live until ${oldUntil}; change it in the store before then.`]),
    ...(changes.settings === null ? [] : [`The settings are replaced; ${plural(released, 'order in review is', 'orders in review are')} decided again.`]),
    ...(changes.recordFrom === null
      ? []
      : [
          `Orders paid from ${connection.recordFrom} on are taken${connection.gaps.map((gap) => `, but for those between ${gap.from} and ${gap.until}`).join('')}.`,
        ]),
  ];
}
