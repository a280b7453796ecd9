import { atom, getDefaultStore } from 'jotai';

/** `blocked`: the browser allows a page to make a sound only after its first click or key press. */
export type SoundState = 'ready' | 'blocked';

const TONES_HZ = [660, 880, 1175];
const TONE_S = 0.12;
const TONE_INTERVAL_S = 0.14;
const VOLUME = 0.18;
const RESUME_WAIT_MS = 400;
const GESTURES = ['pointerdown', 'keydown', 'touchend'] as const;

export const soundStateAtom = atom<SoundState>('blocked');

let audioContext: AudioContext | null = null;

function setSoundState(state: SoundState): void {
  getDefaultStore().set(soundStateAtom, state);
}

/** @returns whether sound can be heard now */
async function resumeAudio(): Promise<boolean> {
  if (typeof AudioContext === 'undefined') return false;
  try {
    audioContext ??= new AudioContext();
    // This promise never settles if sound is not allowed.
    if (audioContext.state !== 'running') {
      await Promise.race([audioContext.resume(), new Promise((resolve) => setTimeout(resolve, RESUME_WAIT_MS))]);
    }
    const running = audioContext.state === 'running';
    setSoundState(running ? 'ready' : 'blocked');
    return running;
  } catch (error) {
    // No sound card, or the browser's policy. The state shows it on the screen, the log gives the reason.
    console.warn('Suara tidak dapat diputar', error);
    setSoundState('blocked');
    return false;
  }
}

function playTone(audio: AudioContext, frequency: number, at: number): void {
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  tone.frequency.value = frequency;
  // Fades in and out: a tone that is cut off clicks.
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(VOLUME, at + 0.02);
  gain.gain.linearRampToValueAtTime(0, at + TONE_S);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + TONE_S);
}

/** Plays three short tones (R-CHAT-24). @returns whether they could be heard */
export async function playBeep(): Promise<boolean> {
  // Before the first click a context would only cause a warning in the console.
  if (!audioContext && navigator.userActivation && !navigator.userActivation.hasBeenActive) return false;
  if (!(await resumeAudio()) || !audioContext) return false;
  const audio = audioContext;
  TONES_HZ.forEach((frequency, index) => playTone(audio, frequency, audio.currentTime + index * TONE_INTERVAL_S));
  return true;
}

/** Enables sound at the first click or key press. @returns the undo */
export function bindSoundUnlock(): () => void {
  const unbind = (): void => {
    for (const gesture of GESTURES) window.removeEventListener(gesture, onGesture, true);
  };
  const tryUnlock = async (): Promise<void> => {
    if (await resumeAudio()) unbind();
  };
  const onGesture = (): void => void tryUnlock();
  for (const gesture of GESTURES) window.addEventListener(gesture, onGesture, true);
  // The click on the sign-in page counts for this page as well.
  if (navigator.userActivation?.hasBeenActive) onGesture();
  return unbind;
}
