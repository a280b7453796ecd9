import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { previousPath } from '#client/lib/previous-path.ts';
import { PageHeader } from './page-header.tsx';

type Props = {
  /** The address of the list. */
  to: string;
  /** Whether the link goes back to another page before this one, too; only to the list by default. */
  isWayBack?: (previous: string) => boolean;
  title: string;
  subject?: string | undefined;
  description?: ReactNode;
  actions?: ReactNode;
};

/** The heading of a page below a list, with a link back to the list, with its filter and position when the user came from there. */
export function BackHeader({ to, isWayBack, title, subject, description, actions }: Props) {
  const navigate = useNavigate();
  return (
    <>
      <Button
        component={Link}
        to={to}
        onClick={(event) => {
          const previous = previousPath();
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          if (previous === undefined || !(isWayBack?.(previous) ?? previous === to)) return;
          event.preventDefault();
          void navigate(-1);
        }}
        variant="subtle"
        color="gray"
        px="xs"
        ml="-xs"
        mt={{ base: -8, sm: 0 }}
        mb={{ base: 0, sm: 4 }}
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        aria-label="Kembali (Back)"
        className="no-print"
      >
        Kembali
      </Button>
      <PageHeader title={title} subject={subject} description={description} actions={actions} />
    </>
  );
}
