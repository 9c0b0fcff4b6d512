import {printableLine} from '#std/printable.ts';

export const esc = '\u001b';
export const bel = '\u0007';
/** Ends OSC and DCS. */
export const st = `${esc}\\`;

/** A private mode on or off. */
export function privateMode(number: number, isOn: boolean): string {
  return `${esc}[?${number}${isOn ? 'h' : 'l'}`;
}

export function osc(payload: string, end: typeof bel | typeof st = st): string {
  return `${esc}]${payload}${end}`;
}

/** Text of others inside a sequence: nothing in it may end the sequence, and its length is bounded in characters. */
export function sequenceText(text: string, most: number): string {
  const plain = printableLine(text);
  const characters = Array.from(plain);
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join('')}…`;
}

/** Past tmux to the terminal around it; tmux drops it unless `allow-passthrough` is on. */
export function tmuxPassthrough(sequence: string): string {
  return `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${st}`;
}

/** GNU screen passes on what fits its buffer, so a long sequence goes in pieces. */
const screenPiece = 240;

export function screenPassthrough(sequence: string): string {
  const pieces = sequence.match(new RegExp(`[^]{1,${screenPiece}}`, 'g')) ?? [];
  return pieces.map((piece) => `${esc}P${piece}${st}`).join('');
}
