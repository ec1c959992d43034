import { Command, Option } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { AddOptions, Json, RotateOptions } from '../actions/shopify-app.ts';
import { SECRET_FORMS, whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/shopify-app.ts');

const NAME = 'shopify-app';
const APP = ['<app>', `its name, from \`orderbridge ${NAME} list\``] as const;

/** `orderbridge shopify-app` */
export function shopifyAppCommand(context: CliContext): Command {
  const app = new Command(NAME).description(
    'Keeps the apps by which Shopify stores are connected: client id and secret of each, encrypted. One app may serve a store, or many; ' +
      'that of the variable SHOPIFY_APP_SECRET goes on working beside them.',
  );
  app.addCommand(addCommand(context));
  app
    .command('list')
    .summary('list the apps')
    .description('Lists the apps, without their secrets, and how many connected stores came by each.')
    .option('--json', 'print JSON: an array of apps')
    .action((options: Json) => withCore(context, async (core) => (await actions()).list(context, core, options)));
  app
    .command('print')
    .argument(...APP)
    .summary('print the configuration file of an app')
    .description(
      'Prints the configuration file of an app (shopify.app.toml): its addresses here, scopes, and webhooks, those of the privacy rules among them. ' +
        'Put it into the folder of the app, and `shopify app deploy` there. It has no secret.',
    )
    .action((id: string) => withCore(context, async (core) => (await actions()).print(context, core, id)));
  app.addCommand(rotateCommand(context));
  app
    .command('remove')
    .argument(...APP)
    .summary('forget an app and its secret')
    .description('Forgets an app and its secret: its webhooks are answered 404. Refused while connected stores came by it.')
    .addOption(whyOption())
    .action((id: string, options: { why?: string }) => withCore(context, async (core) => (await actions()).remove(context, core, { id, ...options })));
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
    .action(async (id: string, options: AddOptions) => (await actions()).add(context, { id, ...options }));
}

function several(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function rotateCommand(context: CliContext): Command {
  return new Command('rotate-secret')
    .argument(...APP)
    .summary('change the secret of an app')
    .description(
      'Takes a new client secret of an app. Make it at Shopify, give it to orderbridge, and revoke the old one at Shopify within 24 hours: until then both are live.',
    )
    .requiredOption('--secret <new>', `the new secret ${SECRET_FORMS}`)
    .option('--revoke-now', 'refuse the old secret from this moment, for one that has leaked')
    .action(async (id: string, options: RotateOptions) => (await actions()).rotate(context, { id, ...options }));
}
