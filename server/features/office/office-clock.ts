import type { OfficeState } from '#shared/api/office/office.ts';

/** The longest time until the next look at the state, also without a change near: somebody may set the computer's clock. */
const CHECK_MAX_MS = 15_000;
/** A timer may fire a moment before the clock shows its time. */
const CHECK_MIN_MS = 20;

/**
 * Publishes the state of the office when time or an admin changes it.
 * @param readStatus the state now
 * @param publish called with every state that differs from the last one
 */
export function createOfficeClock(deps: {
  readStatus: () => Promise<OfficeState>;
  now: () => number;
  publish: (status: OfficeState) => void;
  onError: (error: unknown) => void;
}) {
  let published: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  let checks = 0;
  let running: Promise<unknown> = Promise.resolve();

  async function look(): Promise<void> {
    if (timer) clearTimeout(timer);
    checks += 1;
    const number = checks;
    let nextMs = CHECK_MAX_MS;
    try {
      const status = await deps.readStatus();
      // A later check has a later status.
      if (number !== checks) return;
      const text = JSON.stringify(status);
      // Every answer already has the status of the start.
      if (published !== null && text !== published) deps.publish(status);
      published = text;
      const changesAt = status.until ?? status.opens_at;
      if (changesAt !== null)
        nextMs = Math.min(CHECK_MAX_MS, Math.max(CHECK_MIN_MS, Date.parse(changesAt) - deps.now()));
    } catch (error) {
      deps.onError(error);
    }
    if (!isClosed && number === checks) timer = setTimeout(() => void check(), nextMs).unref();
  }

  async function check(): Promise<void> {
    if (isClosed) return;
    const looking = look();
    running = Promise.all([running, looking]);
    await looking;
  }

  return {
    /** Called at the start and after every change of the hours or of the open tax years. */
    check,
    /** Resolves when nothing reads any more: the database is closed next. */
    async close(): Promise<void> {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
