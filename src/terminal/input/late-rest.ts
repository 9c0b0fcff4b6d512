import {readSequence} from './escape-sequence.ts';

/** Longer than any answer that is known. */
const most = 512;
const esc = '\u001b';

/**
 * Whether a read is what was missing of a sequence whose beginning was taken for a key because the line was slow. Esc and
 * then `[` are keys of their own, so it has to be the whole rest of something known, with nothing typed after it. Esc and
 * then an arrow are two keys, too: a sequence of its own is not the rest of an ESC.
 */
export function isDelayedRemainder(beginning: string, bytes: string): boolean {
  if (beginning === esc && bytes.startsWith(esc)) return false;
  for (let length = 1; length <= Math.min(bytes.length, most); length++) {
    const reading = readSequence(beginning + bytes.slice(0, length));
    if (reading.state === 'broken') return false;
    if (reading.state === 'open') continue;
    if (reading.isPasteStart) return true;
    const isKnown = reading.events.every((event) => event.kind !== 'unknown');
    const isAll = length === bytes.length || bytes.startsWith(esc, length);
    return length > 1 && isKnown && isAll;
  }
  return false;
}
