/** Where a webhook was sent to. `connectionId` null: the one address for all stores of an app. */
export type WebhookPath = { platform: string; connectionId: string | null };

/** Connections have shorter ids, made of these characters alone: anything else is not looked up. */
const ID = /^[\w-]{1,64}$/;

/** Reads what follows `/webhooks` in an address, with or without a slash at the end; null: it leads nowhere. */
export function webhookPath(path: string): WebhookPath | null {
  const parts = /^\/[^/]+(?:\/([^/]+))?\/?$/.exec(path);
  if (parts === null) return null;
  const connectionId = parts[1] === undefined ? null : decoded(parts[1]);
  return connectionId === null || ID.test(connectionId) ? { platform: platformIn(path), connectionId } : null;
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
