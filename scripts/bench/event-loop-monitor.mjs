// Loaded into the measured server before its own code: answers how long its event loop was held at worst, and how much
// memory it holds once it has tidied up.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send) {
  const RESOLUTION_MS = 2;
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  process.on('message', (question) => {
    if (question === 'memory?') {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc');
      collect();
      collect();
      process.send?.({ rssBytes: process.memoryUsage.rss() });
      return;
    }
    process.send?.({ longestHoldMs: Math.max(0, delays.max / 1e6 - RESOLUTION_MS) });
    delays.reset();
  });
  // Whoever measured is gone: nothing of it stays behind.
  process.once('disconnect', () => process.exit());
  // The question must not keep a server alive that wants to end.
  process.channel?.unref();
}
