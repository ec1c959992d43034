/** The part of a pino logger that the service uses. It is never given personal data or secrets. */
export type ServiceLog = {
  info(details: Record<string, unknown>, message: string): void;
  error(details: Record<string, unknown>, message: string): void;
};

export const silentLog: ServiceLog = { info: () => undefined, error: () => undefined };
