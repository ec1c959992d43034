import type { Endpoint } from '../bridge/client/port.ts';
import type { Credentials, Destination } from '../bridge/ledger/connections/destination-store.ts';
import type { Dialect } from '../contract/dialect.ts';

/** The compliance API that this configuration names. `given` credentials come before the configured ones. */
export type ComplianceAccess = {
  dialect: Dialect;
  /** The id of the destination with these credentials, made if it is new. */
  destination(given: Credentials | null): Promise<string>;
  endpoint(given: Credentials | null): Promise<Endpoint>;
  endpointOf(destination: Destination): Promise<Endpoint>;
};
