import type { ShownStore } from '../../../operations/connections/show-store.ts';
import type { Html } from '../../../web/html.ts';
import type { Tone } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** `mayDecide`, `maySet`, `mayChange`: the rights of who looks. `why`: why webhooks are refused, in words. */
export type HealthView = { store: ShownStore; mayDecide: boolean; maySet: boolean; mayChange: boolean; why: string | null; now: Date; words: Words };

/** One thing that is right or wrong, with what to do about it. */
export type Check = { tone: Tone; text: string; verb?: Html };
