import { useQueryClient } from '@tanstack/react-query';
import { LazyPushChoices } from '#client/features/chat/display/push/lazy-push-choices.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { accountKeys } from '../api.ts';

/** Notifications of a user while the app is closed (R-PUSH-61). Over plain http there are none, and nothing is said of them. */
export function NotificationSection() {
  const queryClient = useQueryClient();
  if (!window.isSecureContext) return null;
  return (
    <FormSection title="Notifikasi" text="Kabar saat kantor menjawab pesan Anda, juga saat aplikasi ini tertutup.">
      <LazyPushChoices
        side="user"
        onDeviceChange={() => void queryClient.invalidateQueries({ queryKey: accountKeys.sessions })}
      />
    </FormSection>
  );
}
