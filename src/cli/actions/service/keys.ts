import { type Dialect, embeddedDialect } from '../../../contract/dialect.ts';
import { addKey, grantCompany, revokeKey, rotateKey } from '../../../operations/service/keys.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { note, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import { textFields } from '../../../platform/terminal/text-table.ts';
import type { ApiKeys, IssuedKey, NewKey } from '../../../service/keys/api-keys.ts';
import { cliActor } from '../../actor.ts';
import type { Opened } from '../../with-core.ts';

type KeyDialect = Omit<Dialect, 'idempotencyKey'>;
export type NewKeyOptions = Partial<KeyDialect> & { multiShop?: true; label?: string; test?: true; json?: true };

export async function createKey(context: CliContext, keys: ApiKeys, { multiShop, json, ...options }: NewKeyOptions): Promise<void> {
  const key: NewKey = { multiShop: multiShop === true, ...options };
  const created = await keys.create(key, { by: cliActor() });
  if (json) printJson(context, { ...created, label: null, ...key });
  else printKey(context, created);
}

export async function addAnother(context: CliContext, keys: ApiKeys, { owner, multiShop, json, ...options }: NewKeyOptions & { owner: string }): Promise<void> {
  const key: NewKey = { multiShop: multiShop === true, ...options };
  const added = await addKey(keys, { owner, key, by: cliActor() });
  if (json) printJson(context, { ...added, label: null, ...key });
  else printKey(context, added);
}

export async function rotate(context: CliContext, { core, service }: Opened, { id, json }: { id: string; json?: true }): Promise<void> {
  const { isOurs, endsAt, ...issued } = await rotateKey({ keys: service.keys, destinations: core.destinations }, { id, by: cliActor() });
  if (json) return printJson(context, { ...issued, endsAt, isOurs });
  if (isOurs) printLines(context, [`orderbridge itself calls with the new key ${issued.id} within 10 s; nothing else is to be done.`]);
  else printKey(context, issued);
  printLines(context, [`The old key ${id} is live until ${localTime(endsAt)}; \`orderbridge service keys revoke ${id}\` ends it sooner.`]);
}

function printKey(context: CliContext, { id, apiKey, apiSecret }: IssuedKey): void {
  printLines(context, [
    ...textFields([
      ['id', id],
      ['apiKey', apiKey],
      ['apiSecret', apiSecret],
    ]),
    '',
    'Keep the secret: it is not shown again.',
  ]);
}

export async function listKeys(context: CliContext, keys: ApiKeys, { json }: { json?: true }): Promise<void> {
  const all = await keys.list();
  if (json) return printJson(context, all);
  const hints = new Map(all.map(({ id, hint, label }) => [id, label ?? `${hint}…`]));
  const rows = all.map(({ id, ownerId, hint, label, multiShop, test, dialect, createdAt, endsAt, revokedAt }) => [
    label,
    `${hint}…`,
    multiShop ? 'several' : 'one',
    peculiarities(dialect),
    ownerId === id ? null : (hints.get(ownerId) ?? ownerId),
    test ? 'test' : null,
    localTime(createdAt),
    endsWords(endsAt),
    revokedAt === null ? null : localTime(revokedAt),
    id,
  ]);
  const header = ['label', 'key', 'shops', 'dialect', 'owner', 'kind', 'made', 'ends', 'revoked', 'id'] as const;
  printTable(context, { header, rows, give: ['dialect', 'made', 'shops', 'owner'], keep: ['id'] });
}

function endsWords(endsAt: string | null): string | null {
  return endsAt === null ? null : localTime(endsAt);
}

/** The part of the dialect that differs from the default of keys. */
function peculiarities(dialect: Dialect): string {
  const usual = new Set<string>(Object.values(embeddedDialect));
  return Object.values(dialect)
    .filter((value) => !usual.has(value))
    .join(' ');
}

export async function revoke(context: CliContext, keys: ApiKeys, id: string): Promise<void> {
  await revokeKey(keys, { id, by: cliActor() });
  printLines(context, [`The key ${id} is revoked.`]);
}

type Wanted = { id: string; companyUic: string; move?: true };

export async function grant(context: CliContext, { core }: Opened, { id, companyUic, move }: Wanted): Promise<void> {
  const { ownerId, from } = await grantCompany(core, { id, companyUic, move: move === true, by: cliActor() });
  printLines(context, [
    `The owner of the key ${ownerId} may create shops of the company ${companyUic}.`,
    ...from.map((one) => `The owner of the key ${one.ownerId} no longer may.`),
  ]);
  for (const { ownerId: other, shops } of from.filter((one) => one.shops > 0))
    note(
      context,
      `Warning: the owner of the key ${other} has ${shops === 1 ? 'a shop of this company, which takes' : `${shops} shops of this company, which take`} no new orders; ` +
        `what they recorded can be corrected, and is to be filed; \`orderbridge service numbers show ${companyUic}\` lists all.`,
    );
}
