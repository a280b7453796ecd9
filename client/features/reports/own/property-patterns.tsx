import { patternId, SLICE_NAMES } from './property-fill.ts';

const TILE = 10;

/** The lines of a tile, in the order of `SLICE_NAMES`. */
const DRAWINGS: readonly { path: string; width: number }[] = [
  { path: '', width: 0 },
  { path: 'M -2 2 L 2 -2 M 0 10 L 10 0 M 8 12 L 12 8', width: 1.75 },
  { path: 'M 0 5 H 10', width: 2 },
  { path: 'M 2.5 2.5 h 0.01 M 7.5 7.5 h 0.01', width: 3.5 },
  { path: 'M 5 0 V 10', width: 2 },
  { path: 'M 0 5 H 10 M 5 0 V 10', width: 1.5 },
  { path: 'M -2 8 L 2 12 M 0 0 L 10 10 M 8 -2 L 12 2', width: 1.75 },
  { path: 'M 0 0 L 10 10 M 10 0 L 0 10', width: 1.25 },
];

/** The patterns that `propertyFill` names. The page contains them once. */
export function PropertyPatterns() {
  return (
    <svg width={0} height={0} style={{ position: 'absolute' }} aria-hidden>
      <defs>
        {SLICE_NAMES.map((name, index) => (
          <pattern key={name} id={patternId(name)} width={TILE} height={TILE} patternUnits="userSpaceOnUse">
            <rect width={TILE} height={TILE} fill={`var(--slice-${index + 1})`} />
            <path
              d={DRAWINGS[index]?.path}
              stroke="var(--slice-line)"
              strokeWidth={DRAWINGS[index]?.width}
              strokeLinecap="round"
            />
          </pattern>
        ))}
      </defs>
    </svg>
  );
}
