/** An event of a stream: its name, its data as it was written as JSON, and its id, if it has one. */
export type StreamedEvent = { event: string; data: unknown; id: string | null };

type Opening = { cookie: string; signal: AbortSignal; lastEventId?: string | undefined };

/** Opens a stream of events of the console; it has begun when this resolves. `lastEventId`: as a browser that opens it again. */
export async function openEvents(url: string, { cookie, signal, lastEventId }: Opening): Promise<AsyncGenerator<StreamedEvent>> {
  const { status, body } = await fetch(url, { headers: { cookie, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }, signal });
  if (status !== 200 || body === null) throw new Error(`the stream answered ${status}`);
  // At once, which locks the body: fetch cancels one that nobody reads when its response is collected as garbage.
  return eventsOf(body.pipeThrough(new TextDecoderStream()));
}

async function* eventsOf(parts: ReadableStream<string>): AsyncGenerator<StreamedEvent> {
  let rest = '';
  for await (const part of parts) {
    rest += part;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      const [, id = null] = /^id: (.*)$/m.exec(block) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data), id };
    }
  }
}
