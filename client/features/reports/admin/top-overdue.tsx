import { Anchor, Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import type { ReportOverview } from '#shared/api/reports.ts';
import classes from './overview.module.css';

/** The owners with the largest overdue sums, each with a link to the page of this user. */
export function TopOverdue({ rows }: { rows: ReportOverview['top_overdue'] }) {
  const id = useId();
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-labelledby={id}>
      <Title order={2} fz="h3" mb="sm" id={id}>
        Tunggakan Terbesar
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">Tidak ada tunggakan.</Text>
      ) : (
        <ol className={classes['owners']}>
          {rows.map(({ user, count, amount, estimated }) => (
            <li key={user.id}>
              <Anchor component={Link} to={paths.adminUser(user.id)}>
                {user.name}
              </Anchor>
              <span>{[`${formatNumber(count)} data`, estimatedText(estimated)].filter(Boolean).join(', ')}</span>
              <Money amount={amount} />
            </li>
          ))}
        </ol>
      )}
    </Paper>
  );
}
