import type { OutboxFile } from '../files/outbox-file.ts';
import type { ChatState, FileJob } from './chat-state.ts';
import type { OutboxEntry } from './model/outbox-entry.ts';

export const findEntry = ({ outbox }: ChatState, clientId: string): OutboxEntry | undefined =>
  outbox.find(({ client_id }) => client_id === clientId);

/** Adds an unsent message, or changes one. */
export function putEntry(state: ChatState, entry: OutboxEntry): ChatState {
  const isKnown = findEntry(state, entry.client_id) !== undefined;
  const outbox = isKnown
    ? state.outbox.map((known) => (known.client_id === entry.client_id ? entry : known))
    : [...state.outbox, entry];
  return { ...state, outbox };
}

export const removeEntry = (state: ChatState, clientId: string): ChatState => ({
  ...state,
  outbox: state.outbox.filter(({ client_id }) => client_id !== clientId),
});

export function addFileJob(state: ChatState, kind: FileJob['kind'], files: readonly OutboxFile[]): ChatState {
  if (files.length === 0) return state;
  const number = state.fileJobCount + 1;
  return { ...state, fileJobCount: number, fileJobs: [...state.fileJobs, { number, kind, files }] };
}

export const endFileJob = (state: ChatState, number: number): ChatState => ({
  ...state,
  fileJobs: state.fileJobs.filter((job) => job.number !== number),
});

/** The server has it. */
export function removeSent(state: ChatState, clientId: string): ChatState {
  const entry = findEntry(state, clientId);
  return entry ? addFileJob(removeEntry(state, clientId), 'sent', entry.files) : state;
}

/** The server has these, as an event or a page of the history shows. */
export function confirmSent(state: ChatState, clientIds: readonly (string | null)[]): ChatState {
  if (state.outbox.length === 0) return state;
  return clientIds.reduce((known, clientId) => (clientId === null ? known : removeSent(known, clientId)), state);
}
