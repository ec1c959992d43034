import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;

/** One keep-alive connection that sends ready-made HTTP/1.1 requests, one at a time. Answers need a Content-Length. */
export class HttpLine {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #answer: { resolve(status: number): void; reject(error: Error): void } | undefined;
  #lost: Error | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#lose(error));
    socket.on('close', () => this.#lose(new Error('the service closed a connection before its next request')));
  }

  static async open(host: string, port: number): Promise<HttpLine> {
    const socket = connect({ host, port, noDelay: true });
    await once(socket, 'connect');
    return new HttpLine(socket);
  }

  /** The answer's status. */
  send(request: Buffer): Promise<number> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#answer = undefined;
    this.#socket.destroy();
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    this.#answer?.reject(error);
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    const length = Number(LENGTH.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + END_OF_HEAD.length + length) return;
    this.#received = Buffer.alloc(0);
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.resolve(Number(head.slice(9, 12)));
  }
}
