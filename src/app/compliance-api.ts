import { createComplianceClient } from '../bridge/client/compliance-client.ts';
import type { Endpoint } from '../bridge/client/port.ts';
import type { TraceCall } from '../bridge/client/signed-call.ts';
import type { Credentials } from '../bridge/ledger/connections/destination-store.ts';
import type { ComplianceConfig, Config } from '../config/config.ts';
import { embeddedDialect } from '../contract/dialect.ts';
import type { ComplianceAccess } from '../operations/compliance-access.ts';
import { Refusal } from '../operations/refusal.ts';
import { insecureWords } from '../platform/may-carry-secrets.ts';
import type { Core } from './core.ts';
import { embeddedDestination, openService, serveLocally } from './embedded-service.ts';
import { findServer } from './running-server.ts';

type OpenAccess = ComplianceAccess & AsyncDisposable;

/** Opens access to the configured compliance API. An embedded one is called at the running server, else this process serves it meanwhile. */
export async function openComplianceAccess(core: Core): Promise<OpenAccess> {
  const { compliance } = core.config;
  return compliance.kind === 'remote' ? remoteAccess(core, compliance) : embeddedAccess(core);
}

type Remote = Extract<ComplianceConfig, { kind: 'remote' }>;

function remoteAccess(core: Core, remote: Remote): OpenAccess {
  const { baseUrl, dialect } = remote;
  return {
    dialect,
    destination: async (given) => core.destinations.ensure(secured(core, baseUrl), given ?? configured(remote)),
    endpoint: async (given) => ({ baseUrl: secured(core, baseUrl), ...(given ?? configured(remote)), dialect }),
    endpointOf: async ({ baseUrl: address, credentials }) => {
      if (address === null)
        throw new Refusal('conflict', {
          en: 'it belongs to the embedded compliance service, and COMPLIANCE_API_URL names another',
          bg: 'той е към вградената услуга за отчитане, а COMPLIANCE_API_URL сочи друга',
        });
      return { baseUrl: secured(core, address), ...credentials, dialect };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Refuses an address to which the key would go in the clear. */
function secured({ config }: Core, baseUrl: string): string {
  const words = insecureWords(baseUrl, config.trustedHttpHosts);
  if (words !== null)
    throw new Refusal('invalid', {
      en: words,
      bg: `адресът ${baseUrl} е http:// и ключовете могат да бъдат прочетени по пътя: използвайте https:// или посочете хоста в TRUSTED_HTTP_HOSTS`,
    });
  return baseUrl;
}

function configured({ apiKey, apiSecret }: Remote): Credentials {
  if (apiKey === null || apiSecret === null) {
    throw new Refusal('invalid', {
      en: 'no API key: give --compliance-key and --compliance-secret, or set COMPLIANCE_API_KEY and COMPLIANCE_API_SECRET',
      bg: 'няма ключ за API: дайте --compliance-key и --compliance-secret или задайте COMPLIANCE_API_KEY и COMPLIANCE_API_SECRET',
    });
  }
  return { apiKey, apiSecret: apiSecret.reveal() };
}

async function embeddedAccess(core: Core): Promise<OpenAccess> {
  const resources = new AsyncDisposableStack();
  const service = resources.use(await openService(core));
  const own = await embeddedDestination(core, service);
  let local: Promise<string> | undefined;

  async function serve(): Promise<string> {
    const server = await findServer(core.config.dataDir, ['all', 'compliance']);
    if (server !== null) return server.url;
    return resources.use(await serveLocally(service)).url;
  }
  async function at(credentials: Credentials): Promise<Endpoint> {
    local ??= serve();
    return { baseUrl: await local, ...credentials, dialect: embeddedDialect };
  }
  return {
    dialect: embeddedDialect,
    destination: async (given) => (given === null ? own : core.destinations.ensure(null, given)),
    endpoint: async (given) => at(given ?? (await ownCredentials(core, own))),
    endpointOf: async ({ baseUrl, credentials }) => {
      if (baseUrl !== null)
        throw new Refusal('conflict', {
          en: `it belongs to ${baseUrl}, and COMPLIANCE_API_URL is not set`,
          bg: `той е към ${baseUrl}, а COMPLIANCE_API_URL не е зададен`,
        });
      return at(credentials);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function ownCredentials({ destinations }: Core, own: string): Promise<Credentials> {
  const destination = await destinations.find(own);
  if (destination === null) throw new Error(`destination ${own} is not in the ledger`);
  return destination.credentials;
}

/** How compliance APIs are called under this configuration. */
export function openComplianceClient(
  { timeouts, trustedHttpHosts }: Pick<Config, 'timeouts' | 'trustedHttpHosts'>,
  traced?: TraceCall,
): ReturnType<typeof createComplianceClient> {
  return createComplianceClient({ timeouts, whyInsecure: (address) => insecureWords(address, trustedHttpHosts), traced });
}
