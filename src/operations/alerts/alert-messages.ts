import type { AlertBody, AlertKind, AlertMessage } from '../../bridge/alerts/alert.ts';

type Addressed = { channels: readonly string[]; newId(): string };

/**
 * The messages of an alert: one for each channel. A program that takes webhooks tells them apart by type, so it gets one of what is there and one
 * of what is over.
 */
export function alertMessages(body: AlertBody, { channels, newId }: Addressed): AlertMessage[] {
  return channels.flatMap((channel) => partsFor(channel, body).map((part) => ({ id: newId(), channel, kind: kindOf(part), body: part })));
}

function partsFor(channel: string, body: AlertBody): AlertBody[] {
  if (channel !== 'webhook' || body.what !== 'alert' || kindOf(body) === 'resolved' || body.resolved.length === 0) return [body];
  return [
    { ...body, resolved: [] },
    { ...body, raised: [], still: [] },
  ];
}

function kindOf(body: AlertBody): AlertKind {
  if (body.what !== 'alert') return body.what;
  return body.raised.length + body.still.length > 0 ? 'raised' : 'resolved';
}
