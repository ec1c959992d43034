import type { Contestant } from './contestants.ts';
import { drained, drive } from './measure.ts';
import type { StubCount } from './processes/messages.ts';
import type { Stage } from './stage.ts';
import { residentMb } from './usage.ts';

export type Backlog = {
  orders: number;
  acceptedPerSecond: number;
  /** Resident memory of receiver, worker and Redis after each tenth of the backlog. */
  tenthsMb: number[][];
  /** From the start of the compliance service to the last order, the pause of its destination included. */
  drainSeconds: number;
  /** The same when it is drained. */
  drainedMb: number[];
};

const STEPS = 10;

/** Of receiver + worker: orders pile up while the compliance service is down: how much memory they take, and how they drain when it comes back. */
export async function measureBacklog(stage: Stage, contestant: Contestant): Promise<Backlog> {
  const { backlog: orders } = stage.options;
  await stage.emptyRedis();
  await using running = await contestant.start(stage, true);
  await stage.stub[Symbol.asyncDispose]();
  const memory = () => residentMb([...running.pids, stage.redis.pid()]);
  const tenthsMb: number[][] = [];
  let sendingMs = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const { beganAt, endedAt } = await drive(stage, running, { count: Math.ceil(orders / STEPS) });
    sendingMs += endedAt - beganAt;
    tenthsMb.push(memory());
  }
  await stage.startStub();
  const cameBack = Date.now();
  const sent = Math.ceil(orders / STEPS) * STEPS;
  const { lastAt }: StubCount = await drained(stage, sent);
  return {
    orders: sent,
    acceptedPerSecond: sent / (sendingMs / 1000),
    tenthsMb,
    drainSeconds: (lastAt - cameBack) / 1000,
    drainedMb: memory(),
  };
}
