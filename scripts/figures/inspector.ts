import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { z } from 'zod';

const coverage = z.object({
  result: z.array(z.object({ url: z.string(), functions: z.array(z.object({ ranges: z.array(z.object({ count: z.number() })) })) })),
});
const message = z.object({ id: z.number().optional(), result: z.unknown() });

export type Inspector = Disposable & {
  call(method: string, params?: object): Promise<unknown>;
  /** The code that ran since the last call, by script. */
  take(): Promise<z.output<typeof coverage>['result']>;
};

/** Joins the inspector of a Node process that was started with `--inspect`; its address is in the output of the process. */
export async function joinInspector(stderr: Readable): Promise<Inspector> {
  const socket = new WebSocket(await addressIn(stderr));
  await once(socket, 'open');
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = message.parse(JSON.parse(String(data)));
    if (id !== undefined) waiting.get(id)?.(result);
  });
  const call = (method: string, params: object = {}): Promise<unknown> => {
    last += 1;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(last, resolve);
    socket.send(JSON.stringify({ id: last, method, params }));
    return promise;
  };
  return {
    call,
    take: async () => coverage.parse(await call('Profiler.takePreciseCoverage')).result,
    [Symbol.dispose]: () => socket.close(),
  };
}

async function addressIn(stderr: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const found = /ws:\/\/\S+/.exec(text);
    if (found !== null) {
      stderr.resume();
      return found[0];
    }
  }
  throw new Error(`the process did not offer an inspector: ${text}`);
}
