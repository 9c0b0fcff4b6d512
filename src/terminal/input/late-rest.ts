import {readSequence} from './sequence.ts';

/** Longer than any answer that is known. */
const most = 512;

/**
 * Whether a read is what was missing of a sequence whose beginning was taken for a key because the line was slow. Esc and
 * then `[` are keys of their own, so it has to be the whole rest of something known, with nothing typed after it.
 */
export function isLateRest(beginning: string, bytes: string): boolean {
  for (let length = 1; length <= Math.min(bytes.length, most); length++) {
    const reading = readSequence(beginning + bytes.slice(0, length));
    if (reading.state === 'broken') return false;
    if (reading.state === 'open') continue;
    if (reading.isPasteStart) return true;
    const isKnown = reading.events.every((event) => event.kind !== 'unknown');
    const isAll = length === bytes.length || bytes.startsWith('\u001b', length);
    return length > 1 && isKnown && isAll;
  }
  return false;
}
