import { readMessageParts } from '../message-parts.ts';
import { chatQueries } from '../queries.ts';
import { MESSAGE_WITH_FILES, type MessageDeps, publishWithLinks } from './new-message.ts';

/** Publishes to the sockets of this process what others have stored and only tell by its number. */
export function followOtherProcesses({ context, links }: Pick<MessageDeps, 'context' | 'links'>): void {
  const { orm, processes } = context;
  processes.on(MESSAGE_WITH_FILES, async (id: number) => {
    const row = await chatQueries(orm).findMessage(id);
    if (row) publishWithLinks({ context, links }, row, await readMessageParts(orm, [row]));
  });
}
