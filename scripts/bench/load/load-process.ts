import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../bootstrap.mjs';
import type { BenchUser } from '../seed-data.ts';

/** The load writes to `server` and `insert` over REST and to `relay` over its sockets. */
export type LoadTarget = {
  kind: 'server' | 'relay' | 'insert';
  url: string;
  /** Receives the messages. */
  admin: BenchUser;
  senders: BenchUser[];
};
/** Sockets of users and admins are connected; `perSecond` null: each sender sends its next message after the last answer. */
export type MessageTask = {
  url: string;
  senders: BenchUser[];
  admins: BenchUser[];
  perSecond: number | null;
  warmUpMs: number;
  measureMs: number;
};
/** Sockets that only listen. */
export type ListenerTask = { url: string; listeners: BenchUser[] };
export type LoadTask =
  | { name: 'closed-loop'; target: LoadTarget; warmUpMs: number; measureMs: number }
  | { name: 'open-loop'; target: LoadTarget; perSecond: number; warmUpMs: number; measureMs: number }
  | { name: 'idle-sockets'; target: LoadTarget }
  | { name: 'heavy-reads'; target: LoadTarget }
  | { name: 'flood'; target: LoadTarget; connections: number }
  | { name: 'handshakes'; url: string }
  | ({ name: 'messages' } & MessageTask)
  | ({ name: 'listeners' } & ListenerTask);
export type LoadResult = {
  /** The number of messages sent, sockets open or reads answered. */
  count: number;
  /** Milliseconds of those that arrived. */
  times: number[];
  seconds: number;
  /** The answers to a flood by kind and status, such as `login 401`; or the events that listeners got. */
  outcomes?: Record<string, number>;
  /** Of the load `messages`: milliseconds from a send to its event, and the number of events at all sockets. */
  deliveryTimes?: number[];
  events?: number;
};
export type RunningLoad = {
  /** For tasks that end by themselves. */
  result: Promise<LoadResult>;
  /** For tasks that run until they are stopped. */
  stop: () => Promise<LoadResult>;
};
export type LoadReport = { ready: true } | { outcome: LoadResult };
/** The stop signal of a task, and the function with which it says that it runs. */
export type TaskControl = { stopSignal: AbortSignal; reportReady: () => void };

/** Starts a load in a process of its own. @returns when the load is running */
export function startLoad(task: LoadTask): Promise<RunningLoad> {
  const child = fork(join(root, 'scripts/bench/load/driver.ts'), [], { cwd: root });
  return new Promise((resolveStarted, reject) => {
    const result = new Promise<LoadResult>((resolve, fail) => {
      child.on('message', (report: LoadReport) => {
        if ('outcome' in report) return resolve(report.outcome);
        resolveStarted({
          result,
          stop: () => {
            child.send('stop');
            return result;
          },
        });
      });
      child.once('exit', (code) => fail(new Error(`the load ${task.name} ended with ${code}`)));
    });
    result.catch(reject);
    child.send(task);
  });
}

export async function runLoad(task: LoadTask): Promise<LoadResult> {
  return (await startLoad(task)).result;
}
