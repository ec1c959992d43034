/** An event of a stream: its name, and its data as it was written as JSON. */
export type StreamedEvent = { event: string; data: unknown };

/** Opens a stream of events of the console; it has begun when this resolves. */
export async function openEvents(url: string, cookie: string, signal: AbortSignal): Promise<AsyncGenerator<StreamedEvent>> {
  const { status, body } = await fetch(url, { headers: { cookie }, signal });
  if (status !== 200 || body === null) throw new Error(`the stream answered ${status}`);
  return eventsOf(body);
}

async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamedEvent> {
  let rest = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    rest += part;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}
