import type { DatabaseHandle } from '#server/db/sqlite/open.ts';
import { openBus } from '#server/db/postgres/bus.ts';
import type { OpenBus } from '#server/process/processes.ts';
import { buildTestApp, type TestApp, type TestOverrides } from '../test-app.ts';
import { openPostgresForTest } from './open-postgres.ts';

export type TestProcess = TestApp & {
  /** From now on the others hear nothing of it, as of one that was killed. */
  mute: () => void;
  /** It misses what the others tell, as while its line is away. @returns brings the line back */
  deafen: () => () => void;
  /** Its texts to the others wait, as on a slow network. @returns lets them go */
  holdBack: () => () => void;
  /** The bus of the office, for one that is no process of these. */
  openBus: OpenBus;
};

/** Two processes of one office, of which the first leads. @param between called before the second one starts */
export async function buildTwoProcesses(
  overrides: TestOverrides = {},
  between: (first: TestProcess) => void = () => {},
): Promise<[TestProcess, TestProcess]> {
  const database = openPostgresForTest();
  const { address } = database;
  async function build(own: DatabaseHandle, shared: TestOverrides): Promise<TestProcess> {
    let isMuted = false;
    let isDeaf = false;
    let missed = (): void => {};
    let held: string[] | null = null;
    let send = (_text: string): void => {};
    const openMutable: OpenBus = async (listener) => {
      ({ missed } = listener);
      const bus = await openBus(address, {
        ...listener,
        received: (text) => {
          if (!isDeaf) listener.received(text);
        },
      });
      ({ send } = bus);
      return {
        ...bus,
        send: (text) => {
          if (held) held.push(text);
          else if (!isMuted) send(text);
        },
      };
    };
    const app = await buildTestApp({ ...overrides, ...shared, database: own, openBus: openMutable });
    return {
      ...app,
      openBus: (listener) => openBus(address, listener),
      mute: () => {
        isMuted = true;
      },
      deafen: () => {
        isDeaf = true;
        return () => {
          isDeaf = false;
          missed();
        };
      },
      holdBack: () => {
        const waiting: string[] = [];
        held = waiting;
        return () => {
          held = null;
          for (const text of waiting) send(text);
        };
      },
    };
  }
  const first = await build(database, {});
  between(first);
  // The first one gives the database back.
  const sqlite = Object.assign(Object.create(database.sqlite) as typeof database.sqlite, {
    close: () => database.sqlite,
  });
  const second = await build({ ...database, sqlite }, { proofsDir: first.proofsDir });
  return [first, second];
}

const ASK = 'test: ask';
const ANSWER = 'test: answer';

/** Answers `settleProcesses`; called once for each process. */
function answerQuestions({ context: { processes } }: TestProcess): Map<number, () => void> {
  const waiting = new Map<number, () => void>();
  processes.on(ASK, (number: number) => processes.tell(ANSWER, number));
  processes.on(ANSWER, (number: number) => waiting.get(number)?.());
  return waiting;
}

let questions = 0;

/** @returns waits until both have heard what the other had told before: it answers in order */
export function createSettle(both: readonly [TestProcess, TestProcess]): () => Promise<void> {
  const waitingOf = both.map(answerQuestions);
  return async () => {
    // A listener may tell something itself.
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(
        both.map(async ({ context }, index) => {
          await context.commitSettled();
          const number = (questions += 1);
          const answered = new Promise<void>((resolve) => waitingOf[index]?.set(number, resolve));
          context.processes.tell(ASK, number);
          await answered;
          waitingOf[index]?.delete(number);
        }),
      );
    }
  };
}
