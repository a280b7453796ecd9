import type { Arrival } from '../state/chat-state.ts';
import type { Effect, JobContext } from './runner.ts';

function notify(arrival: Arrival, { notifier, report }: JobContext): void {
  if (arrival.kind === 'message') notifier.incoming(arrival.message);
  else notifier.newer([arrival.row]);
  report({ type: 'done.notified', number: arrival.number });
}

/** Notifies the user of what arrived; one tab of the browser shows it. */
export const notifications: Effect<Arrival> = {
  wanted: (state) => state.arrivals.map((arrival) => [String(arrival.number), arrival]),
  run: notify,
};
