import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { standard } from '../../../src/bridge/storefronts/standard/standard.ts';
import { until } from '../worlds/settled.ts';

/** An event that came. `signatures`: of its header. `subject`: the order’s id, or the month. */
export type ReceivedEvent = { id: string; type: string; subject: string; data: Record<string, unknown>; headers: Map<string, string>; body: Buffer };

/** What is answered to an event; hang: nothing. */
type Reply = number | 'hang' | { status: number; body: string };

/** A program that takes events, and answers as a test says. */
export class EventReceiver implements AsyncDisposable {
  readonly received: ReceivedEvent[] = [];
  reply: (event: ReceivedEvent) => Reply | Promise<Reply> = () => 204;
  readonly #server = createServer(async (request, response) => {
    const event = eventOf(request, await text(request));
    this.received.push(event);
    const reply = await this.reply(event);
    if (reply === 'hang') return;
    const { status, body } = typeof reply === 'number' ? { status: reply, body: '' } : reply;
    response.writeHead(status).end(body);
  });

  static async start(): Promise<EventReceiver> {
    const receiver = new EventReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`;
  }

  /** Of an order or a month, each once, in the order in which they came. */
  typesOf(subject: string): string[] {
    return [...new Map(this.received.filter((event) => event.subject === subject).map(({ id, type }) => [id, type])).values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function eventOf({ headers }: IncomingMessage, body: string): ReceivedEvent {
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> & { order?: { id: string }; month?: string } };
  const named = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return { id: named.get('webhook-id') ?? '', type, subject: data.order?.id ?? data.month ?? '', data, headers: named, body: Buffer.from(body) };
}

/** Waits until there is one. */
export async function found<T>(look: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  const { one } = await until(
    async () => {
      const seen = await look();
      if (seen === undefined) throw new Error('there is none');
      return { one: seen };
    },
    { what },
  );
  return one;
}

/** Whether a receiver that has only this secret trusts it. */
export function isTrusted({ headers, body }: ReceivedEvent, secret: string): boolean {
  return standard.verify({ headers, body }, [secret], Date.now()).trusted;
}
