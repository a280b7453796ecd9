import { Button, Skeleton } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import type { PushChoices } from './push-choices.tsx';

const loadChoices = async () => (await import('./push-choices.tsx')).PushChoices;

/** The choices of notifications while the app is closed; their code is loaded with them. */
export function LazyPushChoices(props: ComponentProps<typeof PushChoices>) {
  const { Component, hasFailed, retry } = useLazyComponent(loadChoices, {
    delayMs: 0,
  });
  if (Component) return <Component {...props} />;
  return hasFailed ? (
    <Button variant="light" mih={44} onClick={retry}>
      Pilihan notifikasi gagal dimuat. Coba lagi
    </Button>
  ) : (
    <Skeleton height={72} radius="md" aria-hidden />
  );
}
