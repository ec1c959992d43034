import { Readable } from 'node:stream';
import type { Core } from '../../app/core.ts';
import type { StoredApp } from '../../bridge/ledger/apps/app-store.ts';
import type { StoreApp } from '../../bridge/storefronts/store-app.ts';
import { addApp, appAddresses, appConfiguration, installLink, listApps, removeApp, rotateAppSecret } from '../../operations/apps/apps.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { textFields } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { checkSecretFlags, readSecret } from '../input/read-secret.ts';
import { printContent } from '../output/print-content.ts';
import { withCore } from '../with-core.ts';

const PLATFORM = 'shopify';
const NAME = `${PLATFORM}-app`;

export type Json = { json?: true };
export type AddOptions = Json & { clientId: string; secret: string; kind: StoreApp['kind']; scope?: string[] };
export type RotateOptions = { secret: string; revokeNow?: true };

export async function add(context: CliContext, options: AddOptions & { id: string }): Promise<void> {
  checkSecretFlags(context, { '--secret': options.secret });
  await withCore(context, (core) => addAt(context, core, options));
}

async function addAt(context: CliContext, core: Core, { id, clientId, secret: given, kind, scope, json }: AddOptions & { id: string }): Promise<void> {
  const secret = await readSecret(context, '--secret', given);
  const app = await addApp(core, { id, platform: PLATFORM, clientId, secret, kind, scopes: scope ?? null }, { by: cliActor() });
  const addresses = addressesOf(core, app);
  if (json) return printJson(context, { app: app.id, ...addresses });
  const fields = Object.entries(addresses).flatMap(([name, address]) => (address === null ? [] : [[name, address] as const]));
  printLines(context, [
    ...textFields([['app', app.id], ...fields]),
    '',
    fields.length === 0
      ? 'Set PUBLIC_URL to the address under which the internet reaches this server: the addresses of the app are not known without it.'
      : `\`orderbridge ${NAME} print ${app.id}\` prints its configuration file; once that is deployed, merchants connect their stores by the installLink.`,
  ]);
}

/** Null: without PUBLIC_URL they are not known. */
function addressesOf({ config: { publicUrl } }: Core, app: StoreApp) {
  const known = publicUrl === null ? null : appAddresses(publicUrl, app);
  return {
    webhookUrl: known?.webhooks ?? null,
    installUrl: known?.install ?? null,
    callbackUrl: known?.callback ?? null,
    installLink: publicUrl === null ? null : installLink(publicUrl, app),
  };
}

export async function list(context: CliContext, core: Core, { json }: Json): Promise<void> {
  const apps = await listApps(core, PLATFORM);
  if (json)
    return printJson(
      context,
      apps.map((app) => shown(core, app)),
    );
  if (apps.length === 0) return printLines(context, [`There is no app yet: \`orderbridge ${NAME} add\` keeps one.`]);
  printTable(context, {
    header: ['app', 'kind', 'client id', 'scopes', 'stores', 'since'],
    rows: apps.map(({ id, kind, clientId, scopes, connections, createdAt }) => [
      ...[id, kind, clientId, scopes.join(' '), String(connections), localTime(createdAt)],
    ]),
    give: ['scopes', 'since'],
    keep: ['app', 'client id'],
  });
  printLines(
    context,
    apps.flatMap(({ id, unopened }) => (unopened === null ? [] : [{ text: `! ${id}: ${unopened}`, word: '!', tone: 'asks' as const }])),
  );
}

/** Without its secrets. */
function shown(core: Core, app: StoredApp) {
  const { id, kind, clientId, scopes, connections, createdAt, unopened } = app;
  const oldSecretUntil = app.secrets.find(({ until }) => until !== null && Date.parse(until) > Date.now())?.until ?? null;
  return {
    app: id,
    kind,
    clientId,
    scopes,
    connections,
    createdAt,
    oldSecretUntil,
    ...addressesOf(core, app),
    warnings: unopened === null ? [] : [unopened],
  };
}

export async function print(context: CliContext, core: Core, id: string): Promise<void> {
  const text = await appConfiguration(core, { platform: PLATFORM, id }, core.config.publicUrl);
  await printContent(context, Readable.from([text]));
}

export async function rotate(context: CliContext, options: RotateOptions & { id: string }): Promise<void> {
  checkSecretFlags(context, { '--secret': options.secret });
  await withCore(context, (core) => rotateAt(context, core, options));
}

async function rotateAt(context: CliContext, core: Core, { id, secret: given, revokeNow }: RotateOptions & { id: string }): Promise<void> {
  const secret = await readSecret(context, '--secret', given);
  const { oldUntil } = await rotateAppSecret(core, { platform: PLATFORM, id, secret, revokeNow: revokeNow === true }, { by: cliActor() });
  printLines(
    context,
    oldUntil === null
      ? [`The app ${id} takes the new secret alone, from now on.`]
      : [`For the app ${id} both secrets are live until ${oldUntil}.`, 'Revoke the old one at the platform before then.'],
  );
}

export async function remove(context: CliContext, core: Core, { id, why }: { id: string; why?: string }): Promise<void> {
  await removeApp(core, { platform: PLATFORM, id }, { by: cliActor(), why });
  printLines(context, [`The app ${id} is removed, and its secret forgotten: nothing is taken at its address any more.`]);
}
