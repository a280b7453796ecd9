import { Button, Paper, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useRef } from 'react';
import { showDate, today } from '#client/lib/format.ts';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import { useSession } from '#client/lib/session.ts';
import classes from './dashboard.module.css';

type Props = { loading: boolean; refreshing: boolean; onRefresh: () => void };

/** Greets the admin (R-STAT-7). */
export function WelcomeBanner({ loading, refreshing, onRefresh }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  const name = useSession()?.user?.name.trim() ?? '';
  return (
    <Paper component="header" withBorder px="lg" py="md" mb="md" className={classes['banner']}>
      <div className={classes['welcome']}>
        <div className={classes['words']}>
          <Title order={1} ref={heading} tabIndex={-1}>
            Selamat datang{name ? `, ${name}` : ''}
          </Title>
          <Text component="output" display="block">
            {loading ? 'Memuat Dashboard...' : `Keadaan kantor per ${showDate(today())}`}
          </Text>
        </div>
        <Button
          variant="default"
          className="no-print"
          leftSection={<IconRefresh size={18} aria-hidden />}
          loading={refreshing}
          onClick={onRefresh}
        >
          Refresh
        </Button>
      </div>
    </Paper>
  );
}
