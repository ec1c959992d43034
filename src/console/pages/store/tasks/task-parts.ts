import type { ShownStore } from '../../../../operations/connections/show-store.ts';
import type { ShownTask, TaskState } from '../../../../operations/tasks/show-task.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import { seen, type Tone, tag } from '../../../frame/parts.ts';
import type { Words } from '../../../words/words.ts';
import { addressOf } from '../store-parts.ts';

/** `hasService`: our own service is in this database. */
export type TaskView = { task: ShownTask; store: ShownStore; hasService: boolean; words: Words };

const tones: Readonly<Record<TaskState, Tone>> = { working: 'quiet', cut: 'attention', failed: 'failing', done: 'ok' };

export function taskTag(is: TaskState, { tasks }: Words): Html {
  return tag(tasks.states[is], tones[is]);
}

/** What a form of a task was made from: nothing was begun since, and the store’s terms are the same. */
export function asSeen({ id, isLast, is }: ShownTask, { state: connected, recordFrom }: ShownStore): unknown {
  return [id, is, isLast, connected, recordFrom];
}

/** A form that goes on from what came of a task; only from the last one of a store that is connected. */
export function followUp({ task, store }: TaskView, content: Html): Html {
  if (!task.isLast || store.state !== 'connected') return nothing;
  return html`<form method="post" action="${addressOf(store)}/tasks/${task.id}">${seen(asSeen(task, store))}${content}</form>\n`;
}
