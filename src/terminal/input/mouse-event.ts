import type {MouseEvent} from './input-events.ts';

const buttons = ['left', 'middle', 'right', 'none'] as const;
const wheels = ['up', 'down', 'left', 'right'] as const;

/**
 * Returns the event of a mouse report. `code` has the button in its lowest two bits, then Shift, Alt, Ctrl
 * (4, 8, 16), motion (32), wheel (64) and further buttons (128). The newer encoding reports a release in
 * `isRelease`, the older one as button 3.
 */
export function mouseEvent(code: number, column: number, row: number, isRelease: boolean): MouseEvent | undefined {
  if (column < 1 || row < 1) return undefined;
  const low = code & 3;
  const isWheel = (code & 64) !== 0;
  const button = (code & 128) !== 0 ? 'other' : isWheel ? 'none' : (buttons[low] ?? 'none');
  const wheel = isWheel ? wheels[low] : undefined;
  return {
    kind: 'mouse',
    action: isWheel ? 'wheel' : isRelease ? 'release' : pressAction(code, button),
    button,
    ...(wheel !== undefined && {wheel}),
    x: column - 1,
    y: row - 1,
    ...((code & 4) !== 0 && {shift: true}),
    ...((code & 8) !== 0 && {alt: true}),
    ...((code & 16) !== 0 && {ctrl: true}),
  };
}

function pressAction(code: number, button: MouseEvent['button']): MouseEvent['action'] {
  if ((code & 32) !== 0) return button === 'none' ? 'move' : 'drag';
  return button === 'none' ? 'release' : 'press';
}
