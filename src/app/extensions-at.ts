import type { ComplianceConfig } from '../config/config.ts';
import { type Extensions, embeddedExtensions, NO_EXTENSIONS } from '../contract/dialect.ts';

/** What the service at this address offers, null being our own: ours all, another one what the environment says of the one that it names. */
export function extensionsAt(compliance: ComplianceConfig, baseUrl: string | null): Extensions {
  if (baseUrl === null) return embeddedExtensions;
  return compliance.kind === 'remote' ? (compliance.extensions ?? NO_EXTENSIONS) : NO_EXTENSIONS;
}
