import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { PageHeader } from './page-header.tsx';

type Props = {
  /** The address of the list. */
  to: string;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
};

/** The heading of a page below a list, with a link back to the list. */
export function BackHeader({ to, title, description, actions }: Props) {
  return (
    <>
      <Button
        component={Link}
        to={to}
        variant="subtle"
        color="gray"
        px="xs"
        ml="-xs"
        mb="xs"
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        aria-label="Kembali (Back)"
        className="no-print"
      >
        Kembali
      </Button>
      <PageHeader title={title} description={description} actions={actions} />
    </>
  );
}
