/** An upper or lower bound, of the ratio to the baseline or of the measured value itself. */
type Aim = { ratioMax: number } | { ratioMin: number } | { max: number };

/** One line of a table. The name says the unit. */
export type Result = {
  name: string;
  measured: number;
  /** The same value of the baseline, measured in the same run. */
  baseline?: number | undefined;
  /** The longest time for which something held the event loop of the server meanwhile. */
  pauseMs?: number;
  /** Whether the measured value is such a time itself. */
  isPause?: boolean;
  aim?: Aim | undefined;
};

export type Timing = { p50: number; p95: number; p99: number };

export function percentiles(times: number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (fraction: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export const median = (values: number[]): number => percentiles(values).p50;

/** docs/requirements.md R-RUN-11 */
const PAUSE_MAX_MS = 50;

/** The bound of the measured value as a text, and whether the result keeps it. */
function judgeValue({ measured, baseline = NaN, aim }: Result): [text: string, isMet: boolean] {
  if (aim === undefined) return ['', true];
  if ('max' in aim) return [`≤ ${aim.max}`, measured <= aim.max];
  const ratio = measured / baseline;
  if ('ratioMax' in aim) return [`ratio ≤ ${aim.ratioMax}`, ratio <= aim.ratioMax];
  return [`ratio ≥ ${aim.ratioMin}`, ratio >= aim.ratioMin];
}

/** All bounds of a result as a text, and whether it keeps them. A pause has the same bound everywhere. */
function judge(result: Result): [text: string, isMet: boolean] {
  const { measured, isPause = false, pauseMs = isPause ? measured : undefined } = result;
  const [text, isMet] = judgeValue(result);
  if (pauseMs === undefined) return [text, isMet];
  const texts = [text, `pause ≤ ${PAUSE_MAX_MS}`].filter((part) => part !== '');
  return [texts.join(', '), isMet && pauseMs <= PAUSE_MAX_MS];
}

const HEADINGS = ['', 'baseline', 'measured', 'ratio', 'longest pause, ms', 'aim', ''];

function cellsOf(result: Result): string[] {
  const { name, measured, baseline, pauseMs } = result;
  const [aimText, isMet] = judge(result);
  return [
    name,
    baseline?.toFixed(2) ?? '',
    measured.toFixed(2),
    baseline === undefined ? '' : (measured / baseline).toFixed(2),
    pauseMs?.toFixed(1) ?? '',
    aimText,
    aimText === '' ? '' : isMet ? 'met' : 'MISSED',
  ];
}

/** Prints the table of a part; every column but the first is aligned right. */
export function printResults(title: string, results: Result[]): void {
  const lines = [HEADINGS, ...results.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const text = lines.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  process.stdout.write(`\n${title}\n${text.join('\n')}\n`);
}
