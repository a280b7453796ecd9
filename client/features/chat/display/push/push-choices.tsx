import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import type { Side } from '#shared/events.ts';
import { DeviceSwitch } from './device-switch.tsx';
import { PushPreferencesFields } from './push-preferences.tsx';
import { usePushState } from './use-push-state.ts';

/** Notifications while no page is open: this browser, and the choices of the person (R-PUSH-61). */
export function PushChoices({ side }: { side: Side }) {
  const state = usePushState();
  if (state === 'insecure') {
    return (
      <FormAlert
        kind="info"
        message="Notifikasi saat aplikasi tertutup memerlukan alamat https"
        hint="Halaman ini dibuka lewat http. Buka lewat alamat https kantor, lalu nyalakan di sana."
      />
    );
  }
  return (
    <div>
      <DeviceSwitch side={side} state={state} />
      {state === 'on' || state === 'off' || state === 'denied' ? <PushPreferencesFields titleOrder={3} /> : null}
    </div>
  );
}
