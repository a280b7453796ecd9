import type { Side } from '#shared/events.ts';
import { DeviceSwitch } from './device-switch.tsx';
import { PushPreferencesFields } from './push-preferences.tsx';
import { PushTest } from './push-test.tsx';
import { usePushState } from './use-push-state.ts';

type Props = {
  side: Side;
  /** This browser gets notifications now, or none any more. */
  onDeviceChange?: () => void;
};

/** Notifications while no page is open: this browser, and the choices of the person (R-PUSH-61). */
export function PushChoices({ side, onDeviceChange }: Props) {
  const state = usePushState();
  // Over plain http nothing of all this works.
  if (state === 'insecure') return null;
  return (
    <div>
      <DeviceSwitch side={side} state={state} onChanged={onDeviceChange} />
      {/* Admins have it beside the state of all pushes. */}
      {side === 'user' ? <PushTest /> : null}
      {state === 'on' || state === 'off' || state === 'denied' ? <PushPreferencesFields titleOrder={3} /> : null}
    </div>
  );
}
