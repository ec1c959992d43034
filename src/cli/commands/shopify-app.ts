import { Readable } from 'node:stream';
import { Command, Option } from 'commander';
import type { Core } from '../../app/core.ts';
import type { StoredApp } from '../../bridge/ledger/apps/app-store.ts';
import type { StoreApp } from '../../bridge/storefronts/store-app.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { textFields } from '../../platform/terminal/text-table.ts';
import { several } from '../input/arguments.ts';
import { checkSecretFlags, readSecret } from '../input/read-secret.ts';
import { SECRET_FORMS, whyOption } from '../input/shared-options.ts';
import { printContent } from '../output/print-content.ts';
import { withCore } from '../with-core.ts';

const PLATFORM = 'shopify';
const NAME = `${PLATFORM}-app`;
const APP = ['<app>', `its name, from \`orderbridge ${NAME} list\``] as const;

export function shopifyAppCommand(context: CliContext): Command {
  const app = new Command(NAME).description(
    'Keeps the apps by which Shopify stores are connected: client id and secret of each, encrypted. One app may serve a store, or many; ' +
      'that of the variable SHOPIFY_APP_SECRET keeps working beside them.',
  );
  app.addCommand(addCommand(context));
  app
    .command('list')
    .summary('list the apps')
    .description('Lists the apps, without their secrets, and how many connected stores came by each.')
    .option('--json', 'print JSON: an array of apps')
    .action((options: Json) => withCore(context, (core) => list(context, core, options)));
  app
    .command('print')
    .argument(...APP)
    .summary('print the configuration file of an app')
    .description(
      'Prints the configuration file of an app (shopify.app.toml): its addresses here, scopes, and webhooks, those of the privacy rules among them. ' +
        'Put it into the folder of the app, and `shopify app deploy` there. It has no secret.',
    )
    .action((id: string) => withCore(context, (core) => print(context, core, id)));
  app.addCommand(rotateCommand(context));
  app
    .command('remove')
    .argument(...APP)
    .summary('forget an app and its secret')
    .description('Forgets an app and its secret: its webhooks are answered 404. Refused while connected stores came by it.')
    .addOption(whyOption())
    .action((id: string, options: { why?: string }) => withCore(context, (core) => remove(context, core, { id, ...options })));
  return app;
}

function addCommand(context: CliContext): Command {
  return new Command('add')
    .argument('<app>', 'a name of your own for it, part of its addresses: lower-case letters, digits and hyphens')
    .summary('keep an app, and print its addresses')
    .description(
      'Keeps an app of the Dev Dashboard, and prints its addresses: where its webhooks go, and the link by which a merchant connects a store. ' +
        'Nothing is changed at Shopify.',
    )
    .requiredOption('--client-id <id>', 'its client id, from the settings of the app')
    .requiredOption('--secret <secret>', `its client secret ${SECRET_FORMS}`)
    .addOption(
      new Option('--kind <kind>', 'custom: of custom distribution; public: listed or not; own: of the organisation whose stores it serves')
        .choices(['custom', 'public', 'own'])
        .makeOptionMandatory(),
    )
    .option('--scope <scope>', 'what a merchant is asked for, several times for several; default: read_orders', several)
    .option('--json', 'print JSON: app, webhookUrl, installUrl, callbackUrl, installLink')
    .action((id: string, options: AddOptions) => add(context, { id, ...options }));
}

function rotateCommand(context: CliContext): Command {
  return new Command('rotate-secret')
    .argument(...APP)
    .summary('change the secret of an app')
    .description(
      'Takes a new client secret of an app. Make it at Shopify, give it to orderbridge, and revoke the old one at Shopify within 24 hours: until then both are valid.',
    )
    .requiredOption('--secret <new>', `the new secret ${SECRET_FORMS}`)
    .option('--revoke-now', 'refuse the old secret from this moment, for one that has leaked')
    .action((id: string, options: RotateOptions) => rotate(context, { id, ...options }));
}

type Json = { json?: true };

type AddOptions = Json & { clientId: string; secret: string; kind: StoreApp['kind']; scope?: string[] };

type RotateOptions = { secret: string; revokeNow?: true };

async function add(context: CliContext, options: AddOptions & { id: string }): Promise<void> {
  checkSecretFlags(context, { '--secret': options.secret });
  await withCore(context, (core) => addAt(context, core, options));
}

async function addAt(context: CliContext, core: Core, { id, clientId, secret: given, kind, scope, json }: AddOptions & { id: string }): Promise<void> {
  const { addApp } = await import('../../operations/apps/apps.ts');
  const secret = await readSecret(context, '--secret', given);
  const app = await addApp(core, { id, platform: PLATFORM, clientId, secret, kind, scopes: scope ?? null }, { by: cliActor() });
  const addresses = await addressesOf(core, app);
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
async function addressesOf({ config: { publicUrl } }: Core, app: StoreApp) {
  const { appAddresses, installLink } = await import('../../operations/apps/apps.ts');
  const known = publicUrl === null ? null : appAddresses(publicUrl, app);
  return {
    webhookUrl: known?.webhooks ?? null,
    installUrl: known?.install ?? null,
    callbackUrl: known?.callback ?? null,
    installLink: publicUrl === null ? null : installLink(publicUrl, app),
  };
}

async function list(context: CliContext, core: Core, { json }: Json): Promise<void> {
  const { listApps } = await import('../../operations/apps/apps.ts');
  const apps = await listApps(core, PLATFORM);
  if (json) return printJson(context, await Promise.all(apps.map((app) => shown(core, app))));
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
async function shown(core: Core, app: StoredApp) {
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
    ...(await addressesOf(core, app)),
    warnings: unopened === null ? [] : [unopened],
  };
}

async function print(context: CliContext, core: Core, id: string): Promise<void> {
  const { appConfiguration } = await import('../../operations/apps/apps.ts');
  const text = await appConfiguration(core, { platform: PLATFORM, id }, core.config.publicUrl);
  await printContent(context, Readable.from([text]));
}

async function rotate(context: CliContext, options: RotateOptions & { id: string }): Promise<void> {
  checkSecretFlags(context, { '--secret': options.secret });
  await withCore(context, (core) => rotateAt(context, core, options));
}

async function rotateAt(context: CliContext, core: Core, { id, secret: given, revokeNow }: RotateOptions & { id: string }): Promise<void> {
  const { rotateAppSecret } = await import('../../operations/apps/apps.ts');
  const secret = await readSecret(context, '--secret', given);
  const { oldUntil } = await rotateAppSecret(core, { platform: PLATFORM, id, secret, revokeNow: revokeNow === true }, { by: cliActor() });
  printLines(
    context,
    oldUntil === null
      ? [`The app ${id} accepts only the new secret from now on.`]
      : [`For the app ${id} both secrets are valid until ${oldUntil}.`, 'Revoke the old one at the platform before then.'],
  );
}

async function remove(context: CliContext, core: Core, { id, why }: { id: string; why?: string }): Promise<void> {
  const { removeApp } = await import('../../operations/apps/apps.ts');
  await removeApp(core, { platform: PLATFORM, id }, { by: cliActor(), why });
  printLines(context, [`The app ${id} is removed, and its secret forgotten: its address no longer accepts anything.`]);
}
