// A tone for what was not taken: who looks at the cards hears it. It is off with one touch, for this machine.

const KEY = 'punto-sound';

/** Two short tones, the second lower: in hertz, and how long each is, in seconds. */
const NOTES = [440, 311];
const LENGTH = 0.11;
const LOUD = 0.12;

class Sound {
  isOn = $state(true);
  #context: AudioContext | null = null;

  constructor() {
    this.isOn = globalThis.localStorage?.getItem(KEY) !== 'off';
  }

  switch(): void {
    this.isOn = !this.isOn;
    localStorage.setItem(KEY, this.isOn ? 'on' : 'off');
  }

  /** Something was not taken. */
  no(): void {
    if (!this.isOn || typeof AudioContext === 'undefined') return;
    this.#context ??= new AudioContext();
    const context = this.#context;
    // Browsers keep quiet until somebody has touched the page; here somebody has just done so.
    if (context.state === 'suspended') void context.resume();
    NOTES.forEach((frequency, at) => {
      const [note, volume] = [context.createOscillator(), context.createGain()];
      const begins = context.currentTime + at * LENGTH;
      note.frequency.value = frequency;
      volume.gain.setValueAtTime(LOUD, begins);
      volume.gain.exponentialRampToValueAtTime(0.001, begins + LENGTH);
      note.connect(volume).connect(context.destination);
      note.start(begins);
      note.stop(begins + LENGTH);
    });
  }
}

export const sound = new Sound();
