import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../toolbox.mjs';
import type { Person } from './office-data.ts';

/** `ours` and `insert` are written to over REST, `relay` over its sockets. */
export type Target = { kind: 'ours' | 'relay' | 'insert'; url: string; desk: Person; senders: Person[] };
export type Task =
  | { name: 'closed-loop'; target: Target; warmUpMs: number; measureMs: number }
  | { name: 'open-loop'; target: Target; perSecond: number; warmUpMs: number; measureMs: number }
  | { name: 'idle-sockets'; target: Target }
  | { name: 'office-reads'; target: Target };
/** `count` of messages sent, sockets open or reads answered; `times` in milliseconds of those that arrived. */
export type Outcome = { count: number; times: number[]; seconds: number };
export type Load = {
  /** For tasks that end by themselves. */
  outcome: Promise<Outcome>;
  /** For tasks that stand until they are told. */
  end: () => Promise<Outcome>;
};
export type Report = { ready: true } | { outcome: Outcome };

/** Starts a load in a process of its own. @returns once it is under way */
export function startLoad(task: Task): Promise<Load> {
  const child = fork(join(root, 'scripts/bench/chat-load.ts'), [], { cwd: root });
  return new Promise((started, reject) => {
    const outcome = new Promise<Outcome>((resolve, fail) => {
      child.on('message', (report: Report) => {
        if ('outcome' in report) return resolve(report.outcome);
        started({
          outcome,
          end: () => {
            child.send('end');
            return outcome;
          },
        });
      });
      child.once('exit', (code) => fail(new Error(`the load ${task.name} ended with ${code}`)));
    });
    outcome.catch(reject);
    child.send(task);
  });
}

export async function runLoad(task: Task): Promise<Outcome> {
  return (await startLoad(task)).outcome;
}
