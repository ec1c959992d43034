import type { Config } from './config.ts';

type Where = Pick<Config, 'publicUrl' | 'consolePublicUrl' | 'consolePort'>;

/** Where people reach the console, without a trailing slash; null: it is not known. On a port of its own it is not at PUBLIC_URL. */
export function consoleUrl({ publicUrl, consolePublicUrl = null, consolePort = null }: Where): string | null {
  return consolePublicUrl ?? (consolePort === null ? publicUrl : null);
}

/** Is the dashboard of the queues at the same address as the console? Only there a session of the console opens it. */
export function isDashboardBeside({ opsPort, consolePort = null }: Pick<Config, 'opsPort' | 'consolePort'>): boolean {
  return opsPort === null && consolePort === null;
}
