import type { ComplianceGateway } from './compliance-gateway.ts';
import type { Called, Pauses } from './pauses.ts';

type Deps = { compliance: Pick<ComplianceGateway, 'whyInsecure'>; pauses: Pick<Pauses, 'pause'> };

/** A destination to which the key would go in the clear is paused without a call, by a probe, too. */
export async function whyInsecure({ compliance, pauses }: Deps, { destinationId, callType }: Called): Promise<{ why: string } | null> {
  const detail = await compliance.whyInsecure(destinationId);
  if (detail === null) return null;
  await pauses.pause({ destinationId, shopId: null, callType }, { code: 'compliance.insecure', detail, retryAfterMs: null });
  return { why: `compliance.insecure: ${detail}` };
}
