import { useSubmit } from '#client/ui/form/use-submit.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { SettingSwitch } from '#client/ui/form/setting-switch.tsx';
import type { Side } from '#shared/events.ts';
import { unsubscribe } from '../../notifications/push/subscription.ts';
import { currentBrowser, howToAllow, INSTALL_FIRST, whyMissing } from './push-help.ts';
import type { PushState } from './use-push-state.ts';
import { useTurnOn } from './use-turn-on.ts';

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

type Props = { side: Side; state: PushState; onChanged?: (() => void) | undefined };

/** On or off in this browser, at once; the state in words (R-PUSH-62). */
export function DeviceSwitch({ side, state, onChanged }: Props) {
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
