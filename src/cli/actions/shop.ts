import { openComplianceAccess, openComplianceClient } from '../../app/compliance-api.ts';
import type { Core } from '../../app/core.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { createShopDto } from '../../contract/shop-dto.ts';
import { createShop, deleteShop, type FieldWords, type RefusedShop, type ShopDeps, toAuditLog, updateShop } from '../../operations/service/shops.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { checkSecretFlags, readCredentials } from '../input/read-secret.ts';
import type { KeyOptions } from '../input/shared-options.ts';
import { readShopFields, type ShopFieldOptions } from '../input/shop-fields.ts';
import { withCore } from '../with-core.ts';

export type Options = KeyOptions & { json?: true };

export async function create(context: CliContext, options: Options & ShopFieldOptions): Promise<void> {
  const fields = await readShopFields(context, options);
  const { id, ...changed } = await atService(context, options, (deps) => createShop(deps, fields));
  report(context, options, { ...changed, lines: [id] });
}

export async function update(context: CliContext, id: string, options: Options & ShopFieldOptions & { validFrom?: string }): Promise<void> {
  const { validFrom } = options;
  const fields = { ...(await readShopFields(context, options)), ...(validFrom !== undefined && { validFrom }) };
  const changed = await atService(context, options, (deps) => updateShop(deps, id, fields));
  report(context, options, { ...changed, lines: [`The shop ${id} is updated.`] });
}

export type Deletion = Options & { name: string; why?: string };

export async function remove(context: CliContext, id: string, options: Deletion): Promise<void> {
  const { orders, ...changed } = await atService(context, options, (deps) => deleteShop(deps, { id, name: options.name, why: options.why }));
  report(context, options, { ...changed, lines: [`The shop ${id} is deleted${orders === null ? '' : `, with ${orders} orders`}.`] });
}

type Changed = { answer: Record<string, unknown>; warnings: readonly FieldWords[]; lines: string[] };

function report(context: CliContext, { json }: Options, { answer, warnings, lines }: Changed): void {
  if (json) printJson(context, answer);
  else printLines(context, lines);
  for (const { path, message } of warnings) note(context, `Warning: ${path}: ${message}`);
}

/** The answer of the service to `change`; a refusal is a CliError. */
async function atService<T extends { ok: true }>(context: CliContext, options: Options, change: (deps: ShopDeps) => Promise<T | RefusedShop>): Promise<T> {
  checkSecretFlags(context, { '--compliance-key': options.complianceKey, '--compliance-secret': options.complianceSecret });
  const credentials = await readCredentials(context, options);
  const answered = await withCore(context, async (core: Core) => {
    await using access = await openComplianceAccess(core);
    await using client = openComplianceClient(core.config);
    return await change({ client, endpoint: await access.endpoint(credentials), by: cliActor(), tell: toAuditLog(core.pool) });
  });
  if (!answered.ok) throw new CliError(refusedShopText(answered));
  return answered;
}

/** Why the compliance service refused, field by field where it names them. */
export function refusedShopText({ status, words, fields }: RefusedShop): string {
  const advice = status === 401 || status === 403 ? '; check the API key and its secret (`orderbridge doctor`)' : '';
  return [
    `the compliance service answered ${status}: ${words}${advice}`,
    ...fields.map(({ path, message }) => `  ${flagOf(path)}: ${message}${guessOf(path)}`),
  ].join('\n');
}

const known: readonly string[] = Object.keys(createShopDto.shape);

/** The name of a field of the body, without places inside of it. */
function nameOf(path: string): string {
  return path.split(/[.[]/)[0] ?? '';
}

function guessOf(path: string): string {
  const name = nameOf(path);
  return name === '' || known.includes(name) ? '' : didYouMean(name, known);
}

/** A field as it is named in the documentation, with the flag that sets it. */
function flagOf(path: string): string {
  const name = nameOf(path);
  if (name === '') return 'body';
  return known.includes(name) ? `${path} (--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})` : path;
}
