import type { Connection } from '../bridge/connections/connection.ts';
import { CliError } from '../platform/terminal/context.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import { sofiaDay } from '../service/law/sofia-day.ts';
import type { DemoClock } from './demo-clock.ts';
import {
  LINDEN_COPY,
  LINDEN_TODAY,
  lindenCopied,
  lindenFirst,
  lindenSecond,
  lindenStore,
  lindenToday,
  lindenUnreadable,
  type PastMonths,
  pastMonths,
} from './linden-store.ts';
import { loseReply } from './lose-reply.ts';
import { type Connected, type DemoRun, drained, send } from './play-stories.ts';

export const BY_DEMO = 'cli:demo';

/** A fourth shop has two months behind it: one is filed and accepted, the file of the other is made. Then the reply to an order of today is lost. */
export async function playPast(run: DemoRun, clock: DemoClock): Promise<Connection> {
  const { world } = run;
  const { service } = world;
  const months = pastMonths(Date.now());
  const store = lindenStore(months);
  clock.stand(months.withTimeout);
  const linden = { store, connection: await world.connect(store, null) };
  const first = { shopId: linden.connection.shopId, month: months.filed };
  for (const webhook of lindenFirst(months)) await send(run, linden, webhook);
  await settled(run);
  clock.stand(months.between);
  await service.work.serveMonth(first);
  for (const webhook of lindenSecond(months)) await send(run, linden, webhook);
  await settled(run);
  await service.months.generate({ ...first, said: { by: BY_DEMO } });
  await file(service, first, months);
  clock.stand(null);
  await service.work.serveMonth({ ...first, month: months.last });
  await leaveDoubts(run, linden);
  return linden.connection;
}

async function settled(run: DemoRun): Promise<void> {
  if (!(await drained(run))) throw new CliError('the months before took too long; this machine may be busy: try again later');
}

async function file(service: ComplianceService, month: { shopId: string; month: string }, { between }: PastMonths): Promise<void> {
  const said = { by: BY_DEMO };
  await service.months.mailed({ ...month, said });
  await service.months.checked({ ...month, version: 2, said });
  await service.months.filed({ ...month, version: 2, incomingNumber: '2200И0012345', filedOn: sofiaDay(between.toISOString()), said });
  await service.months.accepted({ ...month, said });
}

/** Of today: an order that may be recorded or not, a webhook that can't be read, and one of a copy of the site. */
async function leaveDoubts(run: DemoRun, linden: Connected): Promise<void> {
  const now = Date.now();
  await loseReply(run, {
    ...{ connectionId: linden.connection.id, orderId: LINDEN_TODAY },
    send: async () => void (await send(run, linden, lindenToday(now))),
  });
  await send(run, linden, lindenUnreadable(now));
  await send(run, { ...linden, store: { ...linden.store, store: LINDEN_COPY } }, lindenCopied(now));
}
