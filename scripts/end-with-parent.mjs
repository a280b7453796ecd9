// Loaded into the server with `--import`: the server ends when the script that started it is killed by SIGKILL.
import { isMainThread } from 'node:worker_threads';

const POLL_INTERVAL_MS = 500;

if (isMainThread) {
  const parentPid = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parentPid) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_INTERVAL_MS);
  timer.unref();
}
