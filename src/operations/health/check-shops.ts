import type { ComplianceClient, RecordReader } from '../../bridge/client/port.ts';
import { type Connection, SHOP_WARNING } from '../../bridge/connections/connection.ts';
import type { Destination } from '../../bridge/ledger/destination-store.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import { tryShop } from '../connections/try-access.ts';
import type { CheckFinding } from './check-finding.ts';

export type CheckShopsDeps = {
  connections: { list(): Promise<Connection[]>; endWarning(id: string, kind: string): Promise<boolean> };
  destinations: { find(id: string): Promise<Destination | null> };
  access: ComplianceAccess;
  client: Pick<ComplianceClient & RecordReader, 'knowsShop'>;
};

/** Asks again about the shops that the compliance service did not know when their store was connected; the warning of one that it knows ends. */
export async function checkShops({ connections, destinations, access, client }: CheckShopsDeps): Promise<CheckFinding[]> {
  const warned = (await connections.list()).filter(({ closedAt, warnings }) => closedAt === null && warnings[SHOP_WARNING] !== undefined);
  const findings: CheckFinding[] = [];
  for (const { id, shopId, destinationId } of warned) {
    const destination = await destinations.find(destinationId);
    if (destination === null) continue;
    const words = await tryShop(client, await access.endpointOf(destination), shopId);
    if (words === null) await connections.endWarning(id, SHOP_WARNING);
    else if (words !== undefined) findings.push({ what: 'compliance shop', verdict: 'wrong', words: `${id}: ${words}` });
  }
  return findings;
}
