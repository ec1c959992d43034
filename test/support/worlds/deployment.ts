import type { SettingsInput } from '../../../src/bridge/connections/connection-settings.ts';
import type { Config } from '../../../src/config/config.ts';
import { type KillableProgram, startKillable } from '../servers/killable-program.ts';
import { ScriptedCompliance } from '../servers/scripted-compliance.ts';
import { Bridge, type Connected } from './bridge.ts';

export type DeploymentOptions = {
  databaseUrl: string;
  redisUrl: string;
  idempotencyKey?: 'supported' | 'ignored';
  delayMs?: number;
  settings?: SettingsInput;
  /** More of the receiver's configuration, and the same as variables of the workers. */
  more?: { config: Partial<Config>; env: Record<string, string> };
};

/** A receiver in this process, and workers in separate processes that a test may kill. */
export class Deployment implements AsyncDisposable {
  readonly receiver: Bridge;
  readonly service: ScriptedCompliance;
  readonly connected: Connected;
  readonly databaseUrl: string;
  readonly #options: DeploymentOptions;
  readonly #resources: AsyncDisposableStack;
  #worker: KillableProgram | null = null;

  private constructor(
    options: DeploymentOptions,
    parts: { receiver: Bridge; service: ScriptedCompliance; connected: Connected },
    resources: AsyncDisposableStack,
  ) {
    this.receiver = parts.receiver;
    this.service = parts.service;
    this.connected = parts.connected;
    this.databaseUrl = options.databaseUrl;
    this.#options = options;
    this.#resources = resources;
  }

  static async start(options: DeploymentOptions): Promise<Deployment> {
    await using setup = new AsyncDisposableStack();
    const { idempotencyKey = 'supported', databaseUrl, redisUrl, delayMs = 0 } = options;
    const service = setup.use(await ScriptedCompliance.start({ honoursIdempotency: idempotencyKey === 'supported', delayMs }));
    const receiver = setup.use(
      await Bridge.start({ databaseUrl, redisUrl, complianceUrl: service.url, idempotencyKey, role: 'receiver', config: options.more?.config ?? {} }),
    );
    const connected = await receiver.connect({ settings: options.settings ?? {} });
    return new Deployment(options, { receiver, service, connected }, setup.move());
  }

  /** The worker that `killWorker` ends; started if none runs. */
  async worker(): Promise<KillableProgram> {
    this.#worker ??= await this.startWorker();
    return this.#worker;
  }

  /** kill -9 */
  async killWorker(): Promise<void> {
    await this.#worker?.kill();
    this.#worker = null;
  }

  /** One more, which runs until the end of the deployment. */
  async startWorker(): Promise<KillableProgram> {
    const { databaseUrl, redisUrl, idempotencyKey = 'supported', more } = this.#options;
    const env = more?.env ?? {};
    return this.#resources.use(await startKillable({ databaseUrl, redisUrl, idempotencyKey, complianceUrl: this.service.url, role: 'worker', env }));
  }

  /** Answers the status. */
  send(order: Record<string, unknown>): Promise<number> {
    return this.receiver.send(this.connected, 'order.updated', { order });
  }

  order(id: string) {
    return this.receiver.order(this.connected, id);
  }

  settled(id: string, state: Parameters<Bridge['settled']>[2]) {
    return this.receiver.settled(this.connected, id, state);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.service.letGo();
    await this.#resources.disposeAsync();
  }
}
