import {printableLine} from '#std/printable.ts';

export const esc = '\u001b';
export const bel = '\u0007';
/** The string terminator, which ends OSC and DCS. */
export const st = `${esc}\\`;

/** Returns the sequence that sets or resets a private mode. */
export function privateMode(number: number, isOn: boolean): string {
  return `${esc}[?${number}${isOn ? 'h' : 'l'}`;
}

export function osc(payload: string, end: typeof bel | typeof st = st): string {
  return `${esc}]${payload}${end}`;
}

/** Makes text safe inside a sequence: it cannot end the sequence, and its length is limited in characters. */
export function sequenceText(text: string, maxLength: number): string {
  const plain = printableLine(text);
  const characters = Array.from(plain);
  return characters.length <= maxLength ? plain : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Wraps a sequence for the terminal around tmux; tmux drops it unless `allow-passthrough` is on. */
export function tmuxPassthrough(sequence: string): string {
  return `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${st}`;
}

/** The largest piece that GNU screen passes on; longer sequences are split. */
const screenPieceLength = 240;

export function screenPassthrough(sequence: string): string {
  const pieces = sequence.match(new RegExp(`[^]{1,${screenPieceLength}}`, 'g')) ?? [];
  return pieces.map((piece) => `${esc}P${piece}${st}`).join('');
}

/** Returns the sequence that shows a fraction from 0 to 1 on the window's tab or in the task bar. */
export function progressSequence(fraction: number): string {
  const percent = Math.round(Math.min(1, Math.max(0, fraction)) * 100);
  return osc(`9;4;1;${percent}`, bel);
}

export const progressEnd = osc('9;4;0', bel);
