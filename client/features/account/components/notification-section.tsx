import { Button, Skeleton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { accountKeys } from '../api.ts';

const loadChoices = async () => (await import('#client/features/chat/display/push/push-choices.tsx')).PushChoices;

/** Notifications of a user while the app is closed (R-PUSH-61). Over plain http there are none, and nothing is said of them. */
export function NotificationSection() {
  const queryClient = useQueryClient();
  const { Component, hasFailed, retry } = useLazyComponent(loadChoices, 'Pilihan notifikasi belum dapat dimuat', {
    wanted: window.isSecureContext,
    delayMs: 0,
  });
  if (!window.isSecureContext) return null;
  return (
    <FormSection title="Notifikasi" text="Kabar saat kantor menjawab pesan Anda, juga saat aplikasi ini tertutup.">
      {Component ? (
        <Component
          side="user"
          onDeviceChange={() => void queryClient.invalidateQueries({ queryKey: accountKeys.sessions })}
        />
      ) : hasFailed ? (
        <Button variant="light" mih={44} onClick={retry}>
          Pilihan notifikasi gagal dimuat. Coba lagi
        </Button>
      ) : (
        <Skeleton height={72} radius="md" aria-hidden />
      )}
    </FormSection>
  );
}
