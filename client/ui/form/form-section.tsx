import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './form-section.module.css';

type Props = {
  title: string;
  text?: string | undefined;
  /** A button beside the title. */
  action?: ReactNode;
  /** Left out while the section has only its title. */
  children?: ReactNode;
};

/** One part of a long form, with a heading and a description. */
export function FormSection({ title, text, action, children }: Props) {
  return (
    <Paper component="section" withBorder className={classes['paper'] ?? ''}>
      <div className={classes['section']}>
        <div>
          <div className={classes['heading']}>
            <Title order={2}>{title}</Title>
            {action}
          </div>
          {text ? (
            <Text c="dimmed" fz="sm">
              {text}
            </Text>
          ) : null}
        </div>
        {children ? <div className={classes['fields']}>{children}</div> : null}
      </div>
    </Paper>
  );
}
