import type { Side } from '#shared/events.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { SettingSwitch } from '#client/ui/fields/setting-switch.tsx';
import { PushPreferencesFields } from './push-preferences.tsx';
import { PushTest } from './push-test.tsx';
import { usePushState, type PushState, useTurnOn } from './use-push-state.ts';
import { unsubscribe } from '../../notifications/push/subscription.ts';
import { currentBrowser, howToAllow, INSTALL_FIRST, whyMissing } from './push-help.ts';

const purposes = {
  user: 'Anda diberi tahu saat kantor menjawab, juga saat aplikasi ini tertutup.',
  admin: 'Anda diberi tahu saat warga mengirim pesan, juga saat aplikasi ini tertutup.',
} as const satisfies Record<Side, string>;

/** Why nothing can be turned on in this browser, and what to do. */
function Obstacle({ state }: { state: PushState }) {
  if (state === 'denied') {
    return (
      <FormAlert
        kind="warning"
        message="Peramban ini memblokir notifikasi dari PBB Kita"
        hint={howToAllow(currentBrowser())}
      />
    );
  }
  if (state === 'install-first') {
    return <FormAlert kind="info" message="Pasang dulu PBB Kita di layar utama" hint={INSTALL_FIRST} />;
  }
  if (state === 'missing') {
    return <FormAlert kind="info" message="Notifikasi tidak tersedia di sini" hint={whyMissing(currentBrowser())} />;
  }
  return null;
}

type DeviceSwitchProps = { side: Side; state: PushState; onChanged?: (() => void) | undefined };

/** On or off in this browser, at once; the state in words (R-PUSH-62). */
function DeviceSwitch({ side, state, onChanged }: DeviceSwitchProps) {
  const { turnOn, busy: isTurningOn, problemWords, forgetProblem } = useTurnOn();
  const { submit: turnOff, busy: isTurningOff } = useSubmit(async () => {
    await unsubscribe();
    onChanged?.();
  });
  const canChange = state === 'on' || state === 'off';
  const stateText = isTurningOn
    ? 'Sedang menyalakan. Jika peramban bertanya, pilih Izinkan.'
    : `${state === 'on' ? 'Menyala' : 'Mati'} di perangkat ini. ${purposes[side]}`;
  return (
    <>
      <SettingSwitch
        label="Notifikasi di perangkat ini"
        description={<output>{canChange ? stateText : purposes[side]}</output>}
        checked={(state === 'on' && !isTurningOff) || isTurningOn}
        disabled={!canChange}
        onChange={(on) => {
          forgetProblem();
          void (on ? turnOn(onChanged) : turnOff());
        }}
      />
      <Obstacle state={state} />
      {canChange && problemWords ? <FormAlert {...problemWords} /> : null}
    </>
  );
}

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
