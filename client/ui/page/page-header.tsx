import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useRef } from 'react';
import { usePageFocus } from './page-focus.ts';

type Props = {
  title: string;
  /** The one thing that the page is about, larger than the title. */
  subject?: string | undefined;
  description?: ReactNode;
  /** Buttons at the right; below the title on phones. */
  actions?: ReactNode;
  /** For a page of work: less space, and the buttons stay beside the title on phones. */
  compact?: boolean;
};

/** The heading of a page, exactly one on each page. It takes the focus after a navigation. */
export function PageHeader({ title, subject, description, actions, compact = false }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const subjectId = useId();
  usePageFocus(heading);
  return (
    <Group
      component="header"
      justify="space-between"
      align={compact ? 'center' : 'flex-end'}
      gap={compact ? 'xs' : 'md'}
      mb={compact ? 'xs' : { base: 'md', sm: 'lg' }}
    >
      <Stack gap={4} miw={0}>
        <Title
          order={1}
          ref={heading}
          tabIndex={-1}
          {...(subject === undefined ? {} : { size: 'sm', c: 'dimmed', fw: 600, 'aria-describedby': subjectId })}
        >
          {title}
        </Title>
        {subject === undefined ? null : (
          <Title order={2} size="h1" id={subjectId}>
            {subject}
          </Title>
        )}
        {description ? <Text c="dimmed">{description}</Text> : null}
      </Stack>
      {actions ? (
        <Group gap="sm" w={compact ? 'auto' : { base: '100%', xs: 'auto' }} className="no-print">
          {actions}
        </Group>
      ) : null}
    </Group>
  );
}
