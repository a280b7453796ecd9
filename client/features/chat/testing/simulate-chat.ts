import type { Message } from '#shared/api/chat/chat.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { jumps, olderPages, pagesBeside, refreshes, renewals } from '../effects/history.ts';
import { notifications } from '../effects/notify.ts';
import { fileJobs, sends, uploads } from '../effects/send.ts';
import { timers } from '../effects/timers.ts';
import type { OutboxFile } from '../files/outbox-file.ts';
import { type ChatState, conversationOf } from '../state/chat-state.ts';
import type { ChatEvent } from '../state/events.ts';
import type { OutboxEntry } from '../state/model/outbox-entry.ts';
import { withoutClaims } from '../state/model/outbox-entry.ts';
import { CLAIM_LEASE_MS } from '../state/sending.ts';
import { startState, update } from '../state/update.ts';
import { SimulatedServer, USER_ID } from './simulated-server.ts';

/**
 * Tabs of one user, the network and the server as plain data, with a clock of their own: `update` is driven without a browser,
 * promises or timers. The test beside `state/update.ts` draws the steps.
 */

export const STEP_KINDS = [
  ...([
    'answer',
    'answer',
    'answer',
    'write',
    'write',
    'write',
    'photos',
    'photos',
    'many',
    'delete',
    'delete',
  ] as const),
  ...([
    'drop',
    'connect',
    'connect',
    'connect',
    'offline',
    'online',
    'reload',
    'crash',
    'openTab',
    'closeTab',
  ] as const),
  ...(['older', 'jump', 'jump', 'jumpOlder', 'jumpNewer', 'endJump', 'again', 'renew', 'reloadConversation'] as const),
  ...(['cancel', 'discard', 'retry', 'expire', 'hide', 'show'] as const),
] as const;
export type Step = { kind: (typeof STEP_KINDS)[number]; tab: number; waitMs: number };
/** Of one call, or of one push: delays in ms, and what is lost. */
export type Conditions = { requestMs: number; answerMs: number; lost: 'no' | 'request' | 'answer' };

const PUSH_MS = 10;
const STORAGE_EVENT_MS = 5;
const CHECK_MS = CLAIM_LEASE_MS / 3;
/** Within this time after a connection each tab has what it missed: a call may fail after five seconds, and is repeated. */
const CATCH_UP_MAX_MS = 12_000;

type Tab = {
  id: string;
  state: ChatState;
  running: Set<string>;
  isConnected: boolean;
  /** Pushes of a connection come in order, and are lost with it. */
  connection: number;
  nextPushAtMs: number;
  isClosed: boolean;
  /** The newest message of whose deletion an event has told this tab. */
  deletedUpTo: number;
};
/** `serve`: what the server does and answers when the request arrives. */
type Call = { key: string; serve: () => ChatEvent; fail: (error: unknown) => ChatEvent };

export class Simulation {
  readonly server = new SimulatedServer();
  readonly written: string[] = [];
  /** Texts that the user has cancelled or discarded: these may be late or missing. */
  readonly loose = new Set<string>();
  tabs: Tab[] = [];
  eventCount = 0;
  newestAtReconnect = '0';
  #nowMs = 1_000_000;
  #queue: { atMs: number; number: number; run: () => void }[] = [];
  #number = 0;
  #outbox: readonly OutboxEntry[] = [];
  #isOnline = true;
  #isStable = false;
  #conditions: readonly Conditions[];
  #callCount = 0;
  #hasExpired = false;
  /** The newest deleted message of which an event tells. */
  #deletions = new Map<ChatEvent, number>();
  /** The answers to sends whose message was deleted before. */
  #deletedAnswers = new Set<ChatEvent>();

  constructor(conditions: readonly Conditions[]) {
    this.#conditions = conditions;
    this.#open();
  }

  #later(afterMs: number, run: () => void): void {
    this.#number += 1;
    const item = { atMs: this.#nowMs + Math.max(0, afterMs), number: this.#number, run };
    const index = this.#queue.findLastIndex(({ atMs }) => atMs <= item.atMs) + 1;
    this.#queue.splice(index, 0, item);
  }

  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let [next] = this.#queue; next && next.atMs <= untilMs; [next] = this.#queue) {
      this.#queue.shift();
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = untilMs;
  }

  #nextConditions(): Conditions {
    if (this.#isStable) return { requestMs: 10, answerMs: 10, lost: 'no' };
    this.#callCount += 1;
    return this.#conditions[this.#callCount % this.#conditions.length] as Conditions;
  }

  #open(): Tab {
    this.#number += 1;
    const id = `tab ${this.#number}`;
    const currentUser = { side: 'user', id: USER_ID, name: 'Siti' } as const;
    const page = { isVisible: true, hasFocus: true, hiddenAtMs: null };
    const now = { ms: this.#nowMs, random: 0.5 };
    const state = startState({ currentUser, tabId: id, outbox: this.#outbox, page }, now);
    const running = new Set<string>();
    const tab: Tab = {
      id,
      state,
      running,
      isConnected: false,
      connection: 0,
      nextPushAtMs: 0,
      isClosed: false,
      deletedUpTo: 0,
    };
    this.tabs.push(tab);
    this.#compareJobs(tab);
    const check = (): void => {
      if (tab.isClosed) return;
      this.dispatch(tab, { type: 'storage.checked', onlyHere: [] });
      this.#later(CHECK_MS, check);
    };
    this.#later(CHECK_MS, check);
    return tab;
  }

  #close(tab: Tab, releases: boolean): void {
    tab.isClosed = true;
    tab.connection += 1;
    this.tabs = this.tabs.filter((other) => other !== tab);
    if (releases) this.#outbox = withoutClaims(this.#outbox, tab.id);
    this.#reportStorage(tab);
  }

  #reportStorage(by: Tab): void {
    for (const tab of this.tabs) {
      if (tab !== by) this.#later(STORAGE_EVENT_MS, () => this.dispatch(tab, { type: 'storage.changed' }));
    }
  }

  dispatch(tab: Tab, event: ChatEvent): void {
    if (tab.isClosed) return;
    this.eventCount += 1;
    const before = this.#outbox;
    const read = { ...tab.state, outbox: before };
    tab.state = update(read, event, { ms: this.#nowMs, random: (this.eventCount % 10) / 10 });
    this.#outbox = tab.state.outbox;
    tab.deletedUpTo = Math.max(tab.deletedUpTo, this.#deletions.get(event) ?? 0);
    if (!event.type.startsWith('user.')) this.#requireShown(tab, before);
    if (event.type === 'call.sent' && this.#deletedAnswers.has(event))
      this.#requireNotAdded(read, tab.state, event.message);
    if (this.#outbox !== before) this.#reportStorage(tab);
    this.#compareJobs(tab);
  }

  /** A sent message leaves the outbox of the tab that sends it only when the conversation has it, unless that was deleted. */
  #requireShown({ state }: Tab, before: readonly OutboxEntry[]): void {
    const isUnsent = (clientId: string): boolean => this.#outbox.some(({ client_id }) => client_id === clientId);
    const { messages, loaded } = conversationOf(state, USER_ID);
    for (const { client_id: clientId, content } of before) {
      if (isUnsent(clientId) || !loaded || messages.some(({ client_id }) => client_id === clientId)) continue;
      const stored = this.server.messages.find(({ client_id }) => client_id === clientId);
      // Older than what is loaded, or deleted.
      const isBefore = stored && Number(stored._id) < Number(messages[0]?._id ?? 0);
      if (stored && !isBefore) {
        throw new Error(`'${content}' is neither in the outbox nor in the conversation`);
      }
    }
  }

  /** The answer to a repeated send may be a message that was deleted before. */
  #requireNotAdded(before: ChatState, after: ChatState, { _id }: Message): void {
    const isShown = (state: ChatState): boolean =>
      conversationOf(state, USER_ID).messages.some((message) => message._id === _id);
    if (isShown(after) && !isShown(before)) throw new Error(`${_id} is shown again after it was deleted`);
  }

  /** The claim of a tab keeps other tabs from sending the same message at once, unless the user takes it from the tab. */
  #requireAlone(tab: Tab, { client_id: clientId, content }: OutboxEntry): void {
    if (this.loose.has(content)) return;
    const isSame = (key: string): boolean => key.startsWith(`sends ${clientId} `);
    const isSentByOther = this.tabs.some((other) => other !== tab && [...other.running].some(isSame));
    if (isSentByOther) throw new Error(`'${content}' is sent by two tabs at once`);
  }

  #compareJobs(tab: Tab): void {
    const wanted = this.#wantedJobs(tab);
    for (const key of tab.running) if (!wanted.has(key)) tab.running.delete(key);
    for (const [key, start] of wanted) {
      if (tab.running.has(key)) continue;
      tab.running.add(key);
      start();
    }
  }

  /** The jobs that the effects want, as a browser would start them. */
  #wantedJobs(tab: Tab): Map<string, () => void> {
    const { state } = tab;
    const jobs = new Map<string, () => void>();
    for (const [key, { name, userId, atMs }] of timers.wanted(state)) {
      const jobKey = `timers ${key}`;
      const fire = (): void => {
        if (tab.running.has(jobKey)) this.dispatch(tab, { type: 'time', name, userId });
      };
      jobs.set(jobKey, () => this.#later(atMs - this.#nowMs, fire));
    }
    for (const call of this.#wantedCalls(state)) jobs.set(call.key, () => this.#call(tab, call));
    for (const [key, { entry }] of sends.wanted(state)) {
      const call = this.#sendCall(`sends ${key}`, entry);
      jobs.set(call.key, () => {
        this.#requireAlone(tab, entry);
        this.#call(tab, call);
      });
    }
    for (const [key, { number }] of fileJobs.wanted(state)) {
      const done: ChatEvent = { type: 'done.filesHandled', number };
      jobs.set(`fileJobs ${key}`, () => this.#later(0, () => this.dispatch(tab, done)));
    }
    for (const [key, { number }] of notifications.wanted(state)) {
      const done: ChatEvent = { type: 'done.notified', number };
      jobs.set(`notifications ${key}`, () => this.#later(0, () => this.dispatch(tab, done)));
    }
    return jobs;
  }

  #wantedCalls(state: ChatState): Call[] {
    const reads = Object.entries({ refreshes, olderPages, jumps, pagesBeside, renewals }).flatMap(([name, effect]) =>
      effect.wanted(state).map(([key, { query, received, failed }]): Call => ({
        key: `${name} ${key}`,
        serve: () => received(this.server.history(query)),
        fail: failed,
      })),
    );
    const uploading = uploads.wanted(state).map(([key, { userId, file }]): Call => ({
      key: `uploads ${key}`,
      serve: () => ({ type: 'call.uploaded', userId, uploadedId: this.server.upload(file) }),
      fail: (error) => ({ type: 'call.uploadFailed', userId, error }),
    }));
    return [...reads, ...uploading];
  }

  #sendCall(key: string, entry: OutboxEntry): Call {
    return {
      key,
      serve: () => {
        const { message, isNew } = this.server.send(entry);
        if (isNew) this.#push({ type: 'socket.message:new', payload: message });
        const answer: ChatEvent = { type: 'call.sent', userId: USER_ID, message };
        if (!this.server.messages.includes(message)) this.#deletedAnswers.add(answer);
        return answer;
      },
      fail: (error) => ({ type: 'call.sendFailed', userId: USER_ID, error }),
    };
  }

  /** A call goes to the server and comes back, unless something of it is lost; a closed tab's request goes on. */
  #call(tab: Tab, { key, serve, fail }: Call): void {
    const { requestMs, answerMs, lost } = this.#nextConditions();
    const report = (event: ChatEvent): void => {
      if (tab.running.has(key)) this.dispatch(tab, event);
    };
    const tryToServe = (): ChatEvent => {
      try {
        return serve();
      } catch (error) {
        return fail(error);
      }
    };
    this.#later(requestMs, () => {
      if (!this.#isOnline || lost === 'request') {
        report(fail(new ApiError('network')));
        return;
      }
      const answer = tryToServe();
      this.#later(answerMs, () => report(this.#isOnline && lost === 'no' ? answer : fail(new ApiError('network'))));
    });
  }

  #push(event: ChatEvent): void {
    for (const tab of this.tabs) this.#pushTo(tab, event);
  }

  #pushTo(tab: Tab, event: ChatEvent): void {
    if (!tab.isConnected) return;
    const { connection } = tab;
    const delayMs = this.#isStable ? PUSH_MS : this.#nextConditions().answerMs;
    tab.nextPushAtMs = Math.max(tab.nextPushAtMs, this.#nowMs + delayMs);
    this.#later(tab.nextPushAtMs - this.#nowMs, () => {
      if (tab.isConnected && tab.connection === connection) this.dispatch(tab, event);
    });
  }

  #connect(tab: Tab): void {
    if (tab.isConnected || !this.#isOnline) return;
    tab.isConnected = true;
    tab.connection += 1;
    this.dispatch(tab, { type: 'socket.connected' });
  }

  #drop(tab: Tab): void {
    if (!tab.isConnected) return;
    tab.isConnected = false;
    this.dispatch(tab, { type: 'socket.disconnected' });
  }

  #delete(): void {
    this.server.deleteHistory();
    const event: ChatEvent = { type: 'socket.conversation:deleted', payload: { user_id: USER_ID } };
    this.#deletions.set(event, this.server.deletedUpTo);
    this.#push(event);
  }

  #write(tab: Tab, fileCount: number): void {
    const text = `warga ${this.written.length + 1}`;
    const files = Array.from({ length: fileCount }, (_, index): OutboxFile => {
      const id = `${text} ${index}`;
      const size = { bytes: 100, width: 4, height: 3 };
      return { id, name: `${index}.jpg`, type: 'image/jpeg', ...size, hasThumb: false, isKept: true, uploadedId: null };
    });
    const clientId = `${tab.id} ${text}`;
    this.dispatch(tab, { type: 'user.sends', userId: USER_ID, clientId, text, quote: null, files, record: null });
    this.written.push(this.#outbox.find(({ client_id }) => client_id === clientId)?.content ?? '');
  }

  #loosen(choose: (entry: OutboxEntry) => boolean, act: (clientId: string) => void): void {
    const entry = this.#outbox.find(choose);
    if (!entry) return;
    this.loose.add(entry.content);
    act(entry.client_id);
  }

  run({ kind, tab: index, waitMs }: Step): void {
    const tab = this.tabs[index % this.tabs.length] ?? this.#open();
    const userId = USER_ID;
    const target = (waitMs * 7) % (this.server.lastNumber + 2);
    switch (kind) {
      case 'answer':
        this.#push({ type: 'socket.message:new', payload: this.server.write(true, 'kantor', null).message });
        break;
      case 'many':
        for (let left = 9; left > 0; left -= 1) {
          this.#push({ type: 'socket.message:new', payload: this.server.write(true, 'kantor', null).message });
        }
        break;
      case 'write':
        this.#write(tab, 0);
        break;
      case 'photos':
        this.#write(tab, 1 + (waitMs % 2));
        break;
      case 'delete':
        this.#delete();
        break;
      case 'drop':
        this.#drop(tab);
        break;
      case 'connect':
        this.#connect(tab);
        break;
      case 'offline':
        this.#isOnline = false;
        for (const other of this.tabs) this.#drop(other);
        break;
      case 'online':
        this.#isOnline = true;
        break;
      case 'reload':
      case 'crash':
        this.#close(tab, kind === 'reload');
        this.#open();
        break;
      case 'openTab':
        if (this.tabs.length < 3) this.#open();
        break;
      case 'closeTab':
        if (this.tabs.length > 1) this.#close(tab, true);
        break;
      case 'older':
        this.dispatch(tab, { type: 'user.readsOlder', userId });
        break;
      case 'jump':
        this.dispatch(tab, { type: 'user.jumps', userId, messageId: target });
        break;
      case 'jumpOlder':
      case 'jumpNewer':
        this.dispatch(tab, { type: 'user.readsBeside', userId, direction: kind === 'jumpOlder' ? 'older' : 'newer' });
        break;
      case 'endJump':
        this.dispatch(tab, { type: 'user.endsJump', userId });
        break;
      case 'again': {
        const last = this.server.messages.at(-1);
        if (last) this.dispatch(tab, { type: 'socket.message:new', payload: last });
        break;
      }
      case 'renew':
        this.dispatch(tab, { type: 'user.renewsMessage', userId, messageId: String(target) });
        break;
      case 'reloadConversation':
        this.dispatch(tab, { type: 'user.reloads', userId });
        break;
      case 'cancel':
        this.#loosen(
          ({ files, state }) => files.length > 0 && state === 'waiting',
          (clientId) => this.dispatch(tab, { type: 'user.cancelsUpload', clientId }),
        );
        break;
      case 'discard':
        this.#loosen(
          () => true,
          (clientId) => this.dispatch(tab, { type: 'user.discards', clientId, keepsFiles: false }),
        );
        break;
      case 'retry':
        this.#retryFailed(tab);
        break;
      case 'expire':
        // Once: a day passes between two sweeps of the server.
        if (!this.#hasExpired) this.server.expireUploads();
        this.#hasExpired = true;
        break;
      case 'hide':
      case 'show':
        this.dispatch(tab, { type: 'page.changed', isVisible: kind === 'show', hasFocus: kind === 'show' });
        break;
    }
    this.advance(waitMs);
  }

  #retryFailed(tab: Tab): void {
    for (const { client_id: clientId } of this.#outbox) this.dispatch(tab, { type: 'user.sendsAgain', clientId });
  }

  /** The network works. A tab that stayed connected has to catch up by itself. */
  reconnect(): void {
    this.newestAtReconnect = this.server.messages.at(-1)?._id ?? '0';
    this.#isStable = true;
    this.#isOnline = true;
    for (const tab of this.tabs) this.#connect(tab);
    this.advance(CATCH_UP_MAX_MS);
  }

  /** The unsent messages come to their end. */
  finish(): void {
    this.advance(2 * CLAIM_LEASE_MS);
    const [tab] = this.tabs;
    if (tab) this.#retryFailed(tab);
    this.advance(2 * CLAIM_LEASE_MS);
  }

  get unsent(): readonly OutboxEntry[] {
    return this.#outbox;
  }
}
