import { openComplianceClient } from '../app/compliance-api.ts';
import type { Core } from '../app/core.ts';
import type { Credentials } from '../bridge/ledger/connections/destination-store.ts';
import type { Storefront } from '../bridge/storefronts/contract.ts';
import type { ComplianceAccess } from '../operations/compliance-access.ts';
import {
  type CredentialsToVerify,
  refuseInsecure,
  type VerificationResult,
  verifyShop,
  verifyStoreCredentials,
} from '../operations/connections/verify-credentials.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { note } from '../platform/terminal/print.ts';

/** `shopId` null: the compliance service is not asked. `credentials` null: the configured ones. */
type Before = CredentialsToVerify & { storefront: Storefront; shopId: string | null; credentials: Credentials | null; strict: boolean };

/** Tries what a connection needs, before it is made or changed. With `strict` anything wrong ends the command. */
export async function verifyBefore({ core, compliance }: { core: Core; compliance: ComplianceAccess }, before: Before): Promise<VerificationResult> {
  refuseInsecure(before.access, core.config.trustedHttpHosts);
  const [access, shop] = await Promise.all([before.access === null ? undefined : verifyStoreCredentials(before), shopOf(core, compliance, before)]);
  const verification: VerificationResult = { ...(access === undefined ? {} : { access }), ...(shop === undefined ? {} : { shop }) };
  const wrong = wordsOf(verification);
  if (before.strict && wrong.length > 0) throw new CliError(`${wrong.join('\n')}\nNothing was made or changed, because of --strict.`);
  return verification;
}

async function shopOf(core: Core, compliance: ComplianceAccess, { shopId, credentials }: Before): Promise<string | null | undefined> {
  if (shopId === null) return undefined;
  await using client = openComplianceClient(core.config);
  return await verifyShop(client, await compliance.endpoint(credentials), shopId);
}

/** Says on stderr what is wrong, so that standard output stays what it was. */
export function noteVerification(context: CliContext, verification: VerificationResult): void {
  for (const words of wordsOf(verification)) note(context, `! ${words}`);
}

function wordsOf({ access = [], shop }: VerificationResult): string[] {
  return [...access, ...(shop == null ? [] : [shop])];
}

/** Says on stderr that the platform's own forms would change a secret. */
export function noteSecret(context: CliContext, { secretAdvice }: Storefront, secret: string | null): void {
  const advice = secret === null ? null : (secretAdvice?.(secret) ?? null);
  if (advice !== null) note(context, `! ${advice}`);
}
