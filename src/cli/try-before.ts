import { openComplianceClient } from '../app/compliance-access.ts';
import type { Core } from '../app/core.ts';
import type { Credentials } from '../bridge/ledger/destination-store.ts';
import type { Storefront } from '../bridge/storefronts/contract.ts';
import type { ComplianceAccess } from '../operations/compliance-access.ts';
import { refuseInsecure, type Trial, type TrialResult, tryAccess, tryShop } from '../operations/connections/try-access.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { note } from '../platform/terminal/print.ts';

/** `shopId` null: the compliance service is not asked. `credentials` null: the configured ones. */
type Before = Trial & { storefront: Storefront; shopId: string | null; credentials: Credentials | null; strict: boolean };

/** Tries what a connection needs, before it is made or changed. With `strict` anything wrong ends the command. */
export async function tryBefore({ core, compliance }: { core: Core; compliance: ComplianceAccess }, before: Before): Promise<TrialResult> {
  refuseInsecure(before.access, core.config.trustedHttpHosts);
  const [access, shop] = await Promise.all([before.access === null ? undefined : tryAccess(before), shopOf(core, compliance, before)]);
  const trial: TrialResult = { ...(access === undefined ? {} : { access }), ...(shop === undefined ? {} : { shop }) };
  const wrong = wordsOf(trial);
  if (before.strict && wrong.length > 0) throw new CliError(`${wrong.join('\n')}\nNothing was made or changed, because of --strict.`);
  return trial;
}

async function shopOf(core: Core, compliance: ComplianceAccess, { shopId, credentials }: Before): Promise<string | null | undefined> {
  if (shopId === null) return undefined;
  await using client = openComplianceClient(core.config);
  return await tryShop(client, await compliance.endpoint(credentials), shopId);
}

/** Says on stderr what is wrong, so that standard output stays what it was. */
export function noteTrial(context: CliContext, trial: TrialResult): void {
  for (const words of wordsOf(trial)) note(context, `! ${words}`);
}

function wordsOf({ access = [], shop }: TrialResult): string[] {
  return [...access, ...(shop == null ? [] : [shop])];
}

/** Says on stderr that the platform's own forms would change a secret. */
export function noteSecret(context: CliContext, { secretAdvice }: Storefront, secret: string | null): void {
  const advice = secret === null ? null : (secretAdvice?.(secret) ?? null);
  if (advice !== null) note(context, `! ${advice}`);
}
