import { signedHeaders } from '../../contract/standard-webhook.ts';
import type { AlertBody, AlertMessage, ReportedIncident, ReportedReason } from './alert.ts';
import { alertText, type WordsOptions } from './alert-words.ts';
import type { Channel } from './channel.ts';
import { type PostAlert, sentBy } from './post-alert.ts';

type Options = WordsOptions & { url: string; secret: string; post: PostAlert; now(): number };

/** A program that takes Standard Webhooks: `alert.raised`, `alert.resolved`, `alert.digest`, `alert.test`. */
export function webhookChannel({ url, secret, post, now, statusUrl }: Options): Channel {
  return {
    name: 'webhook',
    where: new URL(url).host,
    async send(message) {
      const body = JSON.stringify(webhookBody(message, { statusUrl }));
      const headers = signedHeaders(secret, { id: message.id, seconds: Math.floor(now() / 1000), body });
      return sentBy(await post({ url, body, headers }));
    },
  };
}

/** `data.text` is for receivers that only pass it on to people. */
function webhookBody({ kind, body }: AlertMessage, options: WordsOptions): Record<string, unknown> {
  const { subject, paragraphs } = alertText(body, options);
  const text = paragraphs.map((lines) => lines.join('\n')).join('\n\n');
  return { type: `alert.${kind}`, timestamp: body.at, data: { title: subject, text, ...dataOf(body) } };
}

function dataOf(body: AlertBody): Record<string, unknown> {
  switch (body.what) {
    case 'alert': {
      const of = (incidents: readonly ReportedIncident[], state: string) =>
        incidents.map((incident) => ({ ...shown(incident), state, ended: incident.endedAt }));
      const incidents = [...of(body.raised, 'raised'), ...of(body.still, 'still'), ...of(body.resolved, 'resolved')];
      return { verdict: body.verdict, incidents };
    }
    case 'digest':
      return { verdict: body.verdict, day: body.day, counts: body.counts, incidents: body.reasons.map(shown) };
    case 'test':
      return {};
  }
}

function shown({ code, subject, level, count, total, since, words, verb }: ReportedReason): Record<string, unknown> {
  return { code, subject: subject === '' ? null : subject, level, count, total, since, words, command: verb === null ? null : `orderbridge ${verb}` };
}
