import {sameArguments} from '#std/memo.ts';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {prefixLines, prefixRect} from './prefix-panel.ts';

/** The keys that can follow the pressed ones, while a key sequence is incomplete. */
export function KeyPanel() {
  const rect = useSelectEqual(prefixRect);
  return rect === undefined ? null : <KeyLines rect={rect} />;
}

function KeyLines({rect}: PartProps) {
  const lines = useSelect((snapshot) => prefixLines(snapshot, rect), sameArguments);
  return <Lines rect={rect} label="Keys" lines={lines} isFloating />;
}
