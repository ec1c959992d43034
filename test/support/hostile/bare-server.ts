// A server that does nothing but answer: what it takes is the machine's share of every answer.
import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1', () => {
  const address = server.address();
  parentPort?.postMessage(typeof address === 'object' ? address?.port : undefined);
});
