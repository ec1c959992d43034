import { type Answer, destinationNews } from '../order/answer.ts';
import type { Called, Pauses } from './pauses.ts';

/** Reports what an answer says about its destination, for all orders of it. */
export async function passOn(pauses: Pauses, called: Called, { orderId, answer }: { orderId: number; answer: Answer }): Promise<void> {
  const { destinationId, shopId, callType } = called;
  const news = destinationNews(answer);
  switch (news.is) {
    case 'unclear':
      return;
    case 'working':
      return pauses.works(called);
    case 'doubtful': {
      const { is: _doubtful, ...doubt } = news;
      return pauses.doubt(called, { orderId, ...doubt });
    }
    case 'paused': {
      const { is: _paused, wholeDestination, ...reason } = news;
      return pauses.pause({ destinationId, shopId: wholeDestination ? null : shopId, callType }, reason);
    }
  }
}
