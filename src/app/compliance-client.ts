import { createComplianceClient } from '../bridge/client/create-compliance-client.ts';
import type { Config } from '../config/config.ts';
import { insecureWords } from '../platform/may-carry-secrets.ts';

/** How compliance APIs are called under this configuration. */
export function openComplianceClient({ timeouts, trustedHttpHosts }: Pick<Config, 'timeouts' | 'trustedHttpHosts'>): ReturnType<typeof createComplianceClient> {
  return createComplianceClient({ timeouts, whyInsecure: (address) => insecureWords(address, trustedHttpHosts) });
}
