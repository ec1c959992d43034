import { isAppId } from '../connections/connection.ts';

/**
 * Where a webhook was sent to: a connection's own address; with `app` that of all stores of this app; with neither the one address for all stores of
 * the app that the environment names.
 */
export type WebhookPath = { platform: string; connectionId: string | null; app: string | null };

/** Connections have shorter ids, made of these characters alone: anything else is not looked up. */
const ID = /^[\w-]{1,64}$/;
/** Comes before the id of an app, where addresses of connections have theirs; no connection has this id. */
const APP = 'app';

/** Reads what follows `/webhooks` in an address, with or without a slash at the end; null: it leads nowhere. */
export function webhookPath(path: string): WebhookPath | null {
  const parts = /^\/[^/]+(?:\/([^/]+))?(?:\/([^/]+))?\/?$/.exec(path);
  if (parts === null) return null;
  const [first, second] = [parts[1], parts[2]].map((part) => (part === undefined ? null : decoded(part)));
  const platform = platformIn(path);
  if (first == null) return { platform, connectionId: null, app: null };
  if (first.toLowerCase() === APP) return second != null && isAppId(second.toLowerCase()) ? { platform, connectionId: null, app: second.toLowerCase() } : null;
  return second === null && ID.test(first) ? { platform, connectionId: first, app: null } : null;
}

/** The platform that an address names, in any case, whatever follows; '' if none. */
export function platformIn(path: string): string {
  const [, platform = ''] = path.split('/');
  return decoded(platform).toLowerCase();
}

// An escape that is none, such as %ff, names nothing.
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
