import { Anchor, Skeleton, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCircleCheck, IconDatabase } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { useNotesForMe } from '#client/features/chat/display/use-notes-for-me.ts';
import { FirstStepsList } from '#client/features/first-steps/display/first-steps-list.tsx';
import { useFirstSteps } from '#client/features/first-steps/display/use-first-steps.ts';
import { today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import type { DashboardStatistics } from '../dashboard-statistics.ts';
import { OpenYearTask, useClosedYear } from './open-year-task.tsx';
import {
  type BackupIssue,
  type OpenClaims,
  type OpenErasures,
  type OpenRecoveries,
  taskTiles,
  type TaskTile,
  type Waiting,
} from './task-tiles.ts';
import classes from './tasks.module.css';

type Props = {
  statistics: DashboardStatistics;
  /** null: not known. */
  waiting: Waiting | null;
  /** null: not known. */
  claims: OpenClaims | null;
  /** null: not known. */
  recoveries: OpenRecoveries | null;
  /** null: not known. */
  erasures: OpenErasures | null;
  backupIssue: BackupIssue | null;
  /** null: not known, or there is a `backupIssue`. */
  backupLine: string | null;
  loading: boolean;
};

const SKELETONS = [1, 2, 3, 4];

/** 'Perlu ditindak': what waits for an admin, each with a link to where it is done (R-STAT-15); first steps come first. */
export function Tasks({ statistics, waiting, claims, recoveries, erasures, backupIssue, backupLine, loading }: Props) {
  const headingId = useId();
  const { tasks } = statistics;
  const tiles = taskTiles({
    tasks,
    waiting,
    claims,
    recoveries,
    erasures,
    backupIssue,
    notesForMe: useNotesForMe(),
    today: today(),
  });
  const isPartial = !tasks || !waiting || !claims || !recoveries || !erasures;
  const firstSteps = useFirstSteps();
  const closedYear = useClosedYear();
  const hasFirstSteps = firstSteps.open.length > 0;
  return (
    <section aria-labelledby={headingId} aria-busy={loading} className={`${classes['section']} no-print`}>
      <Title order={2} fz="h3" id={headingId} mb="xs">
        Perlu ditindak
      </Title>
      {loading ? (
        <div className={classes['tiles']} aria-hidden>
          {SKELETONS.map((key) => (
            <Skeleton key={key} height={72} radius="md" />
          ))}
        </div>
      ) : (
        <>
          {hasFirstSteps ? <FirstStepsList {...firstSteps} /> : null}
          {tiles.length > 0 || closedYear.year !== null ? (
            <ul className={classes['tiles']}>
              {closedYear.year === null ? null : (
                <li>
                  <OpenYearTask {...closedYear} year={closedYear.year} />
                </li>
              )}
              {tiles.map((tile) => (
                <li key={tile.key}>
                  <Tile tile={tile} />
                </li>
              ))}
            </ul>
          ) : null}
          {tiles.length === 0 && !isPartial && !hasFirstSteps && closedYear.year === null ? (
            <p className={classes['calm']}>
              <IconCircleCheck size={22} aria-hidden /> Tidak ada yang perlu ditindak saat ini.
            </p>
          ) : null}
          {isPartial ? (
            <Text c="dimmed" fz="sm" mt={tiles.length > 0 ? 'xs' : 0}>
              Sebagian belum dapat dihitung. Tekan Refresh untuk mencoba lagi.
            </Text>
          ) : null}
        </>
      )}
      {backupLine && !loading ? (
        <Text c="dimmed" fz="sm" mt="xs">
          <IconDatabase size={16} className={classes['lineIcon']} aria-hidden />{' '}
          <Anchor component={Link} to={paths.adminSettings} inherit c="inherit">
            {backupLine}
          </Anchor>
        </Text>
      ) : null}
    </section>
  );
}

function Tile({ tile: { to, icon: Icon, color, count, label, detail, key } }: { tile: TaskTile }) {
  return (
    <Link to={to} className={classes['tile']} data-task={key}>
      <ThemeIcon size={36} radius="md" variant="light" color={color} aria-hidden>
        <Icon size={20} />
      </ThemeIcon>
      <span className={classes['words']}>
        <span className={classes['label']}>
          {count === null ? null : <strong className="tabular">{count}</strong>} {label}
        </span>
        <span className={classes['detail']}>{detail}</span>
      </span>
    </Link>
  );
}
