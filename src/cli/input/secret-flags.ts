/** Ends the help of an option that takes a secret. */
export const SECRET_FORMS = '(prompt asks for it without showing it, - reads standard input, @FILE a file)';

/** The flags of every command that can call the compliance API with a key other than the configured one. */
export const KEY_FLAGS = {
  key: ['--compliance-key <key>', 'API key of the compliance service; default: COMPLIANCE_API_KEY, or the embedded service’s own key'],
  secret: ['--compliance-secret <secret>', `API secret that goes with it ${SECRET_FORMS}`],
} as const;

export type KeyOptions = { complianceKey?: string; complianceSecret?: string };
