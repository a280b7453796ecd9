import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './form-section.module.css';

type Props = { title: string; text: string; children: ReactNode };

/** One part of a long form, with a heading and a description. */
export function FormSection({ title, text, children }: Props) {
  return (
    <Paper component="section" withBorder p="lg" className={classes['section']}>
      <div>
        <Title order={2} fz="h3">
          {title}
        </Title>
        <Text c="dimmed" fz="sm" mt={2}>
          {text}
        </Text>
      </div>
      <Stack gap="md">{children}</Stack>
    </Paper>
  );
}
