import { z } from 'zod';
import { SealBroken, type Sealer } from '../../platform/seal.ts';
import type { Connection, LiveSecret } from '../connections/connection.ts';
import type { StoreAccess } from '../storefronts/contract.ts';
import { openJson } from './sealed-json.ts';

const TABLE = 'bridge.connections';

const liveSecrets = z.array(z.object({ secret: z.string(), until: z.string().nullable(), healing: z.literal(true).exactOptional() }));
const storeAccess = z.object({ url: z.string() }).catchall(z.string());

/** Seals what a connection keeps secret, for its row. */
export function sealConnection(sealer: Sealer, id: string) {
  const seal = (column: string, value: unknown) => sealer.seal(JSON.stringify(value), { table: TABLE, column, id });
  return {
    secrets: (secrets: readonly LiveSecret[]) => seal('secrets', secrets),
    access: (access: StoreAccess) => seal('store_access', access),
  };
}

type SealedRow = { id: string; secrets: string; store_access: string | null };
type Opening = { sealer: Sealer; wrongKey: 'throws' | 'noted' };

/** Opens both; what does not open is missing, with words for people. */
export function openSecrets(opening: Opening, row: SealedRow, context: z.RefinementCtx): Pick<Connection, 'secrets' | 'access' | 'unopened'> {
  const { id, store_access: sealedAccess } = row;
  const unopened: string[] = [];
  function open<Content>(column: string, sealed: string, content: z.ZodType<Content>): Content | null {
    try {
      return openJson({ sealer: opening.sealer, sealed, place: { table: TABLE, column, id } }, content, context);
    } catch (thrown) {
      if (!(thrown instanceof SealBroken) || (thrown.why === 'key' && opening.wrongKey === 'throws')) throw thrown;
      unopened.push(`${WHAT[column]}: ${thrown.message}${thrown.why === 'place' ? ` (${cure(column, id)})` : ''}`);
      return null;
    }
  }
  const secrets = open('secrets', row.secrets, liveSecrets) ?? [];
  const access = sealedAccess === null ? null : open('store_access', sealedAccess, storeAccess);
  return { secrets, access, ...(unopened.length === 0 ? {} : { unopened }) };
}

const WHAT: Readonly<Record<string, string>> = { secrets: 'the webhook secret, so that no webhook is taken', store_access: 'the keys of the store’s API' };

function cure(column: string, id: string): string {
  return column === 'secrets' ? `orderbridge rotate-secret ${id} --secret prompt` : `orderbridge reconnect ${id} with --store-url and the keys`;
}
