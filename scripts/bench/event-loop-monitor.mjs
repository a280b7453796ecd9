// Node loads this module into the measured server before the server's own code. It answers the benchmark's queries for
// the maximum event loop delay, for the memory in use after garbage collection, for the processor time and memory used, and for
// what the thread of the running copy used and wrote. The longest turn has its own query: on a busy machine a delay is also the wait
// for a core.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { askCopyThread } from './copy-thread-monitor.mjs';

if (isMainThread && process.send) {
  const RESOLUTION_MS = 2;
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let longestTurnMs = -1;
  const watchTurns = () => {
    let before = process.threadCpuUsage();
    setInterval(() => {
      const now = process.threadCpuUsage();
      longestTurnMs = Math.max(longestTurnMs, (now.user + now.system - before.user - before.system) / 1000);
      before = now;
    }, RESOLUTION_MS).unref();
  };
  process.on('message', (query) => {
    if (query === 'longest-turn') {
      if (longestTurnMs < 0) watchTurns();
      process.send?.({ longestTurnMs });
      longestTurnMs = 0;
      return;
    }
    if (query === 'memory') {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc');
      collect();
      collect();
      process.send?.({ rssBytes: process.memoryUsage.rss() });
      return;
    }
    if (query === 'copy-usage') {
      askCopyThread((usage) => process.send?.(usage));
      return;
    }
    if (query === 'usage') {
      const { user, system } = process.cpuUsage();
      const { active } = performance.eventLoopUtilization();
      process.send?.({
        cpuMicroseconds: user + system,
        rssBytes: process.memoryUsage.rss(),
        loopActiveMs: active,
      });
      return;
    }
    process.send?.({ maxDelayMs: Math.max(0, delays.max / 1e6 - RESOLUTION_MS) });
    delays.reset();
  });
  // When the benchmark ends, no measured server may keep running.
  process.once('disconnect', () => process.exit());
  // The open channel must not prevent the server's shutdown.
  process.channel?.unref();
}
