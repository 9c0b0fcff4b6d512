import {FloatingPart, type LayeredPartProps, LinesPart} from '#ui/Lines.tsx';
import {keyContinuations, keyPanel, longToast, statusContent, statusLine, toastPanel} from './status-line.ts';

/** The last row: the mode and the keys of this moment, or a toast. On a low screen it lies over the first row. */
export function StatusLine(props: LayeredPartProps) {
  return <LinesPart {...props} staysBright select={statusContent} linesOf={(...shown) => [statusLine(...shown)]} />;
}

/** The keys that can follow the pressed ones, while a key sequence is incomplete. */
export function KeyPanel() {
  return <FloatingPart select={keyContinuations} boxOf={keyPanel} />;
}

/** A toast that needs more than one row: in front of everything. */
export function LongToast() {
  return <FloatingPart select={longToast} boxOf={toastPanel} />;
}
