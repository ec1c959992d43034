import { type AlertText, alertText, type WordsOptions } from './alert-words.ts';
import type { Channel } from './channel.ts';
import { type PostAlert, sentBy } from './post-alert.ts';

/** Slack refuses longer texts, and more blocks than 50. */
const LONGEST_TEXT = 3_000;
const MOST_BLOCKS = 40;

type Options = WordsOptions & { url: string; post: PostAlert };

/** An incoming webhook of Slack, or of a chat that takes the same body. */
export function slackChannel({ url, post, statusUrl }: Options): Channel {
  return {
    name: 'slack',
    where: new URL(url).host,
    send: async ({ body }) => sentBy(await post({ url, body: JSON.stringify(slackBody(alertText(body, { statusUrl }))) }), slackWord),
  };
}

// "no_service", "channel_is_archived": all else may be a page.
function slackWord(text: string): string {
  return /^[a-z_]{2,60}$/.test(text.trim()) ? `(${text.trim()})` : '';
}

type Section = { type: 'section'; text: { type: 'mrkdwn'; text: string } };

/** `text` is what notifications and other chats show. */
export function slackBody({ subject, paragraphs }: AlertText): { text: string; blocks: Section[] } {
  const texts = [`*${escaped(subject)}*`, ...paragraphs.map((lines) => escaped(lines.join('\n')))];
  const shown = joined(texts).slice(0, MOST_BLOCKS);
  return { text: escaped(subject).slice(0, LONGEST_TEXT), blocks: shown.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })) };
}

// As few blocks as hold them.
function joined(texts: readonly string[]): string[] {
  const blocks: string[] = [];
  for (const text of texts.map((one) => (one.length > LONGEST_TEXT ? `${one.slice(0, LONGEST_TEXT - 1)}…` : one))) {
    const last = blocks.at(-1);
    const both = `${last}\n${text}`;
    if (last !== undefined && both.length <= LONGEST_TEXT) blocks[blocks.length - 1] = both;
    else blocks.push(text);
  }
  return blocks;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
