import { hostname, userInfo } from 'node:os';
import type { Actor } from '../platform/audit-log/audit-log.ts';

/** The person at the command line, as far as the machine knows. */
export function cliActor(): Actor {
  return `cli:${userName()}@${hostname()}`;
}

// In a container the user may have no name.
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
