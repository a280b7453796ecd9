import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';
import type { BenchUser } from './seed-data.ts';

/** `ours` and `insert` are written to over REST, `relay` over its sockets. */
export type LoadTarget = { kind: 'ours' | 'relay' | 'insert'; url: string; admin: BenchUser; senders: BenchUser[] };
export type LoadTask =
  | { name: 'closed-loop'; target: LoadTarget; warmUpMs: number; measureMs: number }
  | { name: 'open-loop'; target: LoadTarget; perSecond: number; warmUpMs: number; measureMs: number }
  | { name: 'idle-sockets'; target: LoadTarget }
  | { name: 'office-reads'; target: LoadTarget };
/** `count` of messages sent, sockets open or reads answered; `times` in milliseconds of those that arrived. */
export type LoadResult = { count: number; times: number[]; seconds: number };
export type RunningLoad = {
  /** For tasks that end by themselves. */
  result: Promise<LoadResult>;
  /** For tasks that stand until they are told. */
  stop: () => Promise<LoadResult>;
};
export type LoadReport = { ready: true } | { outcome: LoadResult };

/** Starts a load in a process of its own. @returns once it is under way */
export function startLoad(task: LoadTask): Promise<RunningLoad> {
  const child = fork(join(root, 'scripts/bench/chat-load.ts'), [], { cwd: root });
  return new Promise((resolveStarted, reject) => {
    const result = new Promise<LoadResult>((resolve, fail) => {
      child.on('message', (report: LoadReport) => {
        if ('outcome' in report) return resolve(report.outcome);
        resolveStarted({
          result,
          stop: () => {
            child.send('end');
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
